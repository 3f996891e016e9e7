import type { RunInfo } from '@graphmind-ai/schema'

export interface RunFilter {
  readonly text: string
  /** Also runs of plain web traffic, which hold no agent, model call, tool, chain or retriever. */
  readonly showOther: boolean
}

/** What the runs list shows: newest first, and how many rows each filter hides. */
export interface RunList {
  readonly rows: readonly RunInfo[]
  readonly hiddenOther: number
  readonly hiddenByText: number
}

export function runList(runs: Iterable<RunInfo>, filter: RunFilter): RunList {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const rows: RunInfo[] = []
  let hiddenOther = 0
  let hiddenByText = 0
  for (const run of runs) {
    // A joined run's events live on in the run it was joined to.
    if (run.mergedInto !== undefined) continue
    if (run.category === 'other' && !filter.showOther) {
      hiddenOther += 1
      continue
    }
    const text = `${run.name} ${run.app} ${run.id} ${run.models.join(' ')} ${run.status} ${run.source}`.toLowerCase()
    if (words.every((word) => text.includes(word))) rows.push(run)
    else hiddenByText += 1
  }
  rows.sort((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1))
  return { rows, hiddenOther, hiddenByText }
}
