import { EXPORT_FORMATS, type ExportFormat, redactedIn, saveRun } from '../link/export-run.ts'
import type { Viewer } from '../ui/viewer-context.tsx'
import type { Command } from './command.ts'

/** Saves a run as a file, and tells how that went. */
export function saveRunAs({ store, workbench }: Viewer, runId: string, format: ExportFormat): void {
  workbench.setState({ announcement: 'Fetching the run…' })
  void saveRun(runId, format).then(async (problem) => {
    if (problem !== undefined) return store.setState({ problem: `The run was not saved. ${problem}` })
    const text = savedWords(await redactedIn(runId, format))
    workbench.setState({ toast: { text, isProblem: false, undoable: false } })
  })
}

function savedWords(redacted: string | undefined): string {
  if (redacted === undefined) return 'The run was saved. What was left out of it could not be told.'
  if (redacted === '') return 'The run was saved. Nothing in it stood under a secret key.'
  return `The run was saved, without the values under these keys: ${redacted}. A secret inside a text stays as recorded.`
}

/** One command a format. */
export const EXPORT_COMMANDS: readonly Command[] = EXPORT_FORMATS.map(({ format, title }) => ({
  id: `run.save-${format}`,
  group: 'Run',
  title: `Save the run: ${title}`,
  keys: [],
  unavailable: ({ store }) => (store.getState().run === undefined ? 'Open a run first.' : undefined),
  run(context) {
    const { run } = context.store.getState()
    if (run !== undefined) saveRunAs(context, run.runId, format)
  },
}))
