import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DEFAULT_EXPORT_FORMAT, exportFormat } from '../../export/formats.ts'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import { openReader } from '../../store/database.ts'
import { NOT_LIVE } from '../../store/reads/run-info.ts'
import { listRuns } from '../../store/reads/run-list.ts'
import { findRun } from '../../store/reads/runs.ts'
import type { Cli } from '../cli.ts'
import { databasePath } from '../settings.ts'
import { deriveRun } from './derive-run.ts'

export interface ExportFlags {
  readonly format?: string
  readonly out?: string
  readonly db?: string
}

const SUGGESTED_RUNS = 5

/** Writes one run to a file, or to `stdout` when no --out is given. */
export async function exportRun(
  runId: string,
  flags: ExportFlags,
  { environment, console }: Cli,
  stdout: NodeJS.WritableStream,
): Promise<Result<undefined>> {
  const format = exportFormat(flags.format ?? DEFAULT_EXPORT_FORMAT)
  if (!format.ok) return format
  const path = databasePath(flags.db, environment)
  if (!existsSync(path)) return failed('no-database', `There is no database at ${path}. Name one with --db.`)
  const database = openReader(path)
  try {
    const found = await findRun(database, runId)
    if (found === undefined) return failed('no-such-run', await unknownRun(database, runId))
    const derived = found.waiting === 0 ? ok(undefined) : await deriveRun(path, runId)
    if (!derived.ok) return derived
    const run = (await findRun(database, runId)) ?? found
    const pieces = Readable.from(format.value.write(database, run), { objectMode: true })
    if (flags.out === undefined) await pipeline(pieces, stdout, { end: false })
    else await pipeline(pieces, createWriteStream(flags.out, { mode: 0o600 }))
    if (flags.out !== undefined) console.err(`Run ${run.id} is in ${flags.out}, with all its prompts and payloads.`)
    return ok(undefined)
  } catch (error) {
    return failed('export', `Run ${runId} could not be written: ${messageOf(error)}.`)
  } finally {
    await database.destroy()
  }
}

async function unknownRun(database: ReturnType<typeof openReader>, runId: string): Promise<string> {
  const page = await listRuns(database, { limit: SUGGESTED_RUNS, nowMs: Date.now(), live: NOT_LIVE })
  const recent = page.ok ? page.value.rows.map(({ id, name }) => `\n  ${id}  ${name}`).join('') : ''
  return recent === '' ? `There is no run ${runId}, and no other either.` : `There is no run ${runId}. The latest are:${recent}`
}
