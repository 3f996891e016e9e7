import type { RunInfo } from '@graphmind-ai/schema'
import { KNOWN_FORMATS_SENTENCE } from '../../import/import-file.ts'
import { failed, ok, type Result } from '../../problem.ts'
import { findServer } from '../../store/database-lock.ts'
import type { Cli } from '../cli.ts'
import type { Console } from '../console.ts'
import { counted } from '../counted.ts'
import { DEFAULT_PORT, databasePath, readPort } from '../settings.ts'
import type { Importer, SkippedInFile } from './importer.ts'
import { openImporter } from './local-importer.ts'
import { progressLine } from './progress-line.ts'
import { serverImporter } from './server-importer.ts'
import { type Source, sourcesOf } from './sources.ts'

export interface ImportFlags {
  readonly db?: string
  readonly json?: boolean
  readonly port?: string
}

interface Outcome {
  /** All of them for --json, else the first ones. */
  readonly runs: Map<string, RunInfo>
  readonly runIds: Set<string>
  readonly skipped: SkippedInFile[]
  skippedCount: number
  read: number
}

// Enough for a folder of traces; the rest are in the viewer's list.
const MAX_RUN_LINES = 20
const MAX_SKIPPED_LINES = 20

/**
 * Imports files, folders and `-` for stdin: through the server that has the database, else by itself. Prints a line and a link a run, or with
 * --json one document `{runs, skipped}`. A problem when nothing at all could be read.
 */
export async function importFiles(paths: readonly string[], flags: ImportFlags, { environment, console }: Cli): Promise<Result<undefined>> {
  const port = readPort(flags.port)
  if (!port.ok) return port
  const sources = await sourcesOf(paths)
  if (!sources.ok) return sources
  const path = databasePath(flags.db, environment)
  const server = await findServer(path)
  const importer = server === undefined ? await openImporter(path) : ok(serverImporter(server))
  if (!importer.ok) return importer
  const problems: string[] = []
  const outcome: Outcome = { runs: new Map(), runIds: new Set(), skipped: [], skippedCount: 0, read: 0 }
  try {
    for (const source of sources.value) {
      const problem = await importOne(source, importer.value, outcome, flags.json === true, console)
      if (problem !== undefined) problems.push(problem)
    }
  } finally {
    await importer.value.close()
  }
  if (outcome.read === 0) return failed('import-nothing', problems.length === 0 ? noFile(paths) : toldOnce(problems).join('\n'))
  report(outcome, problems, server?.url ?? `http://127.0.0.1:${port.value ?? DEFAULT_PORT}`, flags.json === true, console)
  return ok(undefined)
}

async function importOne(
  source: Source,
  importer: Importer,
  outcome: Outcome,
  all: boolean,
  console: Console,
): Promise<string | undefined> {
  const line = progressLine(console, source.file, source.bytes)
  const imported = await importer.importFile(source.file, metered(source.open(), line.read), {
    stored: line.stored,
    run(run) {
      outcome.runIds.add(run.id)
      if (all || outcome.runs.size < MAX_RUN_LINES || outcome.runs.has(run.id)) outcome.runs.set(run.id, run)
    },
  })
  line.end()
  if (!imported.ok) {
    outcome.skipped.push({ file: source.file, line: null, reason: imported.problem.message })
    outcome.skippedCount += 1
    return imported.problem.message
  }
  outcome.read += 1
  outcome.skipped.push(...imported.value.skipped)
  outcome.skippedCount += imported.value.skippedCount
  return undefined
}

async function* metered(source: AsyncIterable<Uint8Array>, read: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    read(piece.length)
    yield piece
  }
}

function report(
  { runs, runIds, skipped, skippedCount }: Outcome,
  problems: readonly string[],
  server: string,
  json: boolean,
  console: Console,
): void {
  const rows = [...runs.values()].map((run) => ({ ...run, url: `${server}/run/${encodeURIComponent(run.id)}` }))
  if (json) {
    console.out(JSON.stringify({ runs: rows, skipped, skippedCount }))
    return
  }
  if (rows.length === 0) console.out('Nothing to show: the files are fine, but hold no spans.')
  for (const run of rows) console.out(`${describe(run)}\n  ${run.url}`)
  if (runIds.size > rows.length) console.out(`… and ${runIds.size - rows.length} more runs, in the list at ${server}/`)
  for (const problem of toldOnce(problems)) console.err(problem)
  const told = new Set(problems)
  const parts = skipped.filter(({ line, reason }) => line !== null || !told.has(reason))
  for (const { file, line, reason } of parts.slice(0, MAX_SKIPPED_LINES)) {
    console.err(`Skipped ${file}${line === null ? '' : `, line ${line}`}: ${reason}.`)
  }
  const hidden = skippedCount - problems.length - Math.min(parts.length, MAX_SKIPPED_LINES)
  if (hidden > 0) console.err(`… and ${hidden} more skipped. --json lists them.`)
}

/** Of a whole folder of other files the first ones; what would have been read is said at their end. */
function toldOnce(problems: readonly string[]): readonly string[] {
  if (problems.length < 2) return problems
  const shown = problems.slice(0, MAX_SKIPPED_LINES).map((problem) => problem.replace(` ${KNOWN_FORMATS_SENTENCE}`, ''))
  const hidden = problems.length - shown.length
  const isUnknown = problems.some((problem) => problem.endsWith(KNOWN_FORMATS_SENTENCE))
  return [...shown, ...(hidden > 0 ? [`… and ${hidden} more.`] : []), ...(isUnknown ? [KNOWN_FORMATS_SENTENCE] : [])]
}

function noFile(paths: readonly string[]): string {
  return `There is no file in ${paths.join(', ')}. Hidden files are passed over.`
}

function describe({ id, name, status, nodeCount, errorCount, spanCount, durationMs }: RunInfo): string {
  const parts = [counted(nodeCount, 'node'), counted(errorCount, 'error'), counted(spanCount, 'span')]
  if (durationMs !== null) parts.push(durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`)
  return `${name === '' ? id : name}: ${status}, ${parts.join(', ')}`
}
