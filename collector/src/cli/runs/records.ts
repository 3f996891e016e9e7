import { existsSync } from 'node:fs'
import type { RunInfo } from '@graphmind-ai/schema'
import type { Kysely } from 'kysely'
import { failed, ok, type Result } from '../../problem.ts'
import { openReader } from '../../store/database.ts'
import { findServer } from '../../store/database-lock.ts'
import { NOT_LIVE, runInfoOf } from '../../store/reads/run-info.ts'
import { listRuns } from '../../store/reads/run-list.ts'
import { findRun, type RunListRow } from '../../store/reads/runs.ts'
import type { Tables } from '../../store/tables.ts'
import { refusalOf, type ServerApi, serverApi } from '../server/server-api.ts'
import { databasePath, type Environment, readPort } from '../settings.ts'
import { printable } from '../show/printable.ts'
import { deriveRun } from './derive-run.ts'

export interface RecordsFlags {
  readonly db?: string
  /** For links, when no server has the database. */
  readonly port?: string
}

/** The recorded runs, open for reading: a server that has them adds what only it knows, and is not needed. */
export interface Records {
  readonly path: string
  readonly database: Kysely<Tables>
  readonly server: ServerApi | undefined
  /** Where links lead. */
  readonly url: string
  close(): Promise<void>
}

export async function openRecords(flags: RecordsFlags, environment: Environment): Promise<Result<Records>> {
  const port = readPort(flags.port)
  if (!port.ok) return port
  const path = databasePath(flags.db, environment)
  if (!existsSync(path)) {
    return failed(
      'no-database',
      `There is no database at ${path} yet. Name one with --db, or record a run: graphmind demo needs nothing else.`,
    )
  }
  const server = await findServer(path)
  const database = openReader(path)
  return ok({
    path,
    database,
    server: server === undefined ? undefined : serverApi(server),
    url: server?.url ?? `http://127.0.0.1:${port.value}`,
    close: () => database.destroy(),
  })
}

const SUGGESTED_RUNS = 5

/** A run whose events may be read, all of them; a problem that names the latest runs when there is none with this id. */
export async function readableRun(records: Records, runId: string): Promise<Result<RunListRow>> {
  const found = await findRun(records.database, runId)
  if (found === undefined) return failed('no-such-run', await unknownRun(records, runId))
  if (found.waiting === 0) return ok(found)
  const derived = await deriveRun(records.path, runId)
  return derived.ok ? ok((await findRun(records.database, runId)) ?? found) : derived
}

async function unknownRun(records: Records, runId: string): Promise<string> {
  const page = await runPage(records, { limit: SUGGESTED_RUNS })
  const recent = page.ok ? page.value.runs.map(({ id, name }) => `\n  ${printable(id)}  ${printable(name)}`).join('') : ''
  const missing = `There is no run ${printable(runId)}`
  return recent === '' ? `${missing}, and no other either. graphmind demo records one.` : `${missing}. The latest are:${recent}`
}

export interface RunPageQuery {
  readonly query?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A page of the list, newest first; `live` and `held` are known only while a server runs. */
export async function runPage(
  { database, server }: Records,
  { query, limit, cursor }: RunPageQuery,
): Promise<Result<{ readonly runs: readonly RunInfo[]; readonly nextCursor: string | null }>> {
  if (server !== undefined) {
    const parameters = new URLSearchParams({
      limit: String(limit),
      ...(query === undefined ? {} : { q: query }),
      ...(cursor === undefined ? {} : { cursor }),
    })
    const answer = await server.ask(`/api/runs?${parameters}`)
    if (!answer.ok) return answer
    if (answer.value.status !== 200) return failed('runs', refusalOf(answer.value))
    return ok(answer.value.body as { readonly runs: readonly RunInfo[]; readonly nextCursor: string | null })
  }
  const page = await listRuns(database, { query, limit, cursor, nowMs: Date.now(), live: NOT_LIVE })
  if (!page.ok) return page
  return ok({ runs: page.value.rows.map((row) => runInfoOf(row, NOT_LIVE)), nextCursor: page.value.nextCursor })
}

/** The viewer’s page of a run, with one execution opened when it is named. */
export function runLink(url: string, runId: string, instanceId?: string): string {
  const run = `${url}/run/${encodeURIComponent(runId)}`
  return instanceId === undefined ? run : `${run}?instance=${encodeURIComponent(instanceId)}`
}
