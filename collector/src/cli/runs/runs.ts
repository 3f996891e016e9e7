import { type RunInfo, workMsOf } from '@graphmind-ai/schema'
import { failed, ok, type Result } from '../../problem.ts'
import type { Cli } from '../cli.ts'
import { printable } from '../show/printable.ts'
import { table } from '../show/table.ts'
import { ago, duration } from '../show/times.ts'
import { type PruneFlags, pruneRuns } from './prune.ts'
import { openRecords, runPage } from './records.ts'
import { removeRuns } from './remove.ts'

export interface RunsFlags extends PruneFlags {
  readonly limit?: string
  readonly cursor?: string
  readonly rm?: readonly string[]
  readonly prune?: boolean
  readonly clear?: boolean
  readonly yes?: boolean
}

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 1000

/** `graphmind runs`: lists recorded runs, or removes some or all. */
export async function runs(query: string | undefined, flags: RunsFlags, cli: Cli): Promise<Result<undefined>> {
  if (flags.rm !== undefined) return removeRuns(flags.rm, flags, cli)
  if (flags.clear === true) return clear(flags, cli)
  if (flags.prune === true) return pruneRuns(flags, cli)
  const stray = flags.keep !== undefined ? 'keep' : flags.days !== undefined ? 'days' : flags.dryRun === true ? 'dry-run' : undefined
  if (stray !== undefined) return failed('runs-flag', `--${stray} goes with --prune. graphmind runs --help shows how.`)
  return list(query, flags, cli)
}

/** Nothing brings them back, so the wish is said twice. */
async function clear(flags: RunsFlags, cli: Cli): Promise<Result<undefined>> {
  if (flags.yes !== true && flags.dryRun !== true)
    return failed(
      'runs-clear',
      '--clear removes every run that is not running, held or pinned, for good. Add --yes to mean it, or --dry-run to see which.',
    )
  return pruneRuns({ ...flags, keep: '0' }, cli)
}

async function list(query: string | undefined, flags: RunsFlags, { console, environment }: Cli): Promise<Result<undefined>> {
  const limit = readLimit(flags.limit)
  if (!limit.ok) return limit
  const records = await openRecords(flags, environment)
  if (!records.ok) return records
  try {
    const page = await runPage(records.value, { query, limit: limit.value, cursor: flags.cursor })
    if (!page.ok) return page
    if (flags.json === true) {
      console.out(JSON.stringify(page.value))
      return ok(undefined)
    }
    const { runs, nextCursor } = page.value
    if (runs.length === 0)
      console.out(query === undefined ? 'No run is recorded yet. graphmind demo records one.' : `No run matches ${printable(query)}.`)
    else console.out(table(['RUN', 'STARTED', 'STATUS', 'NAME', 'STEPS', 'ERRORS', 'TIME', 'SOURCE'], runs.map(cells)))
    if (nextCursor !== null) console.out('\nThere are more: --limit shows up to 1000, --json has the cursor of the next page.')
    return ok(undefined)
  } finally {
    await records.value.close()
  }
}

function readLimit(text: string | undefined): Result<number> {
  if (text === undefined) return ok(DEFAULT_LIMIT)
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= MAX_LIMIT
    ? ok(limit)
    : failed('limit', `--limit takes a number from 1 to ${MAX_LIMIT}, not "${printable(text)}".`)
}

function cells(run: RunInfo): readonly string[] {
  const { id, startedAt, status, held, name, app, stepCount, errorCount, finishedAt, source } = run
  const nowMs = Date.now()
  const shown = name === '' ? app : name
  const time = finishedAt === null ? '' : duration(workMsOf(run, nowMs))
  return [
    ...[id, ago(startedAt, nowMs), held > 0 ? `${status}, held` : status, shown],
    ...[stepCount === undefined ? '' : String(stepCount), String(errorCount), time, source],
  ]
}
