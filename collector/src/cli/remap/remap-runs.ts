import { existsSync } from 'node:fs'
import type { Remapped } from '../../ingest/messages.ts'
import { openStore } from '../../ingest/open-store.ts'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import { openReader } from '../../store/database.ts'
import { findServer, headersFor, type RunningServer } from '../../store/database-lock.ts'
import { NOT_LIVE } from '../../store/reads/run-info.ts'
import { listRuns, MAX_RUNS_LIMIT } from '../../store/reads/run-list.ts'
import type { Cli } from '../cli.ts'
import type { Console } from '../console.ts'
import { counted } from '../counted.ts'
import { databasePath } from '../settings.ts'

export interface RemapFlags {
  readonly db?: string
}

/** Derives the events of these runs anew, of all when none is named: through the server that has the database, else by itself. */
export async function remapRuns(runIds: readonly string[], flags: RemapFlags, { environment, console }: Cli): Promise<Result<undefined>> {
  const path = databasePath(flags.db, environment)
  if (!existsSync(path)) return failed('no-database', `There is no database at ${path}. Name one with --db.`)
  const wanted = runIds.length > 0 ? runIds : await allRuns(path)
  const server = await findServer(path)
  if (server !== undefined) return remapAll(wanted, (runId) => remapOnServer(server, runId), console)
  const store = await openStore(path)
  if (!store.ok) return store
  const { ingest, close } = store.value
  try {
    return await remapAll(wanted, (runId) => ingest.remap(runId), console)
  } finally {
    // Runs that were unpacked for it are packed again.
    await close({ shrink: true })
  }
}

async function remapAll(
  runIds: readonly string[],
  remap: (runId: string) => Promise<Result<Remapped>>,
  { out, draw }: Console,
): Promise<Result<undefined>> {
  let corrected = 0
  let corrections = 0
  for (const [index, runId] of runIds.entries()) {
    draw?.(`${index} of ${runIds.length} runs read again`)
    const remapped = await remap(runId)
    if (!remapped.ok) {
      draw?.('')
      return remapped
    }
    if (remapped.value.events > 0) corrected += 1
    corrections += remapped.value.events
  }
  draw?.('')
  const found = corrections === 0 ? 'nothing to correct' : `${counted(corrections, 'correction')} in ${counted(corrected, 'run')}`
  out(`${counted(runIds.length, 'run')} read again: ${found}.`)
  return ok(undefined)
}

async function remapOnServer(server: RunningServer, runId: string): Promise<Result<Remapped>> {
  const { url } = server
  try {
    const answer = await fetch(`${url}/api/runs/${encodeURIComponent(runId)}/remap`, { method: 'POST', headers: headersFor(server) })
    const body = (await answer.json()) as Remapped & { readonly error?: string }
    return answer.ok ? ok(body) : failed('remap', body.error ?? `The server at ${url} answered ${answer.status}.`)
  } catch (error) {
    return failed('remap', `The server at ${url} could not be asked: ${messageOf(error)}.`)
  }
}

async function allRuns(path: string): Promise<readonly string[]> {
  const database = openReader(path)
  try {
    const runIds: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await listRuns(database, { limit: MAX_RUNS_LIMIT, cursor, nowMs: Date.now(), live: NOT_LIVE })
      if (!page.ok) return runIds
      runIds.push(...page.value.rows.map(({ id }) => id))
      if (page.value.nextCursor === null) return runIds
      cursor = page.value.nextCursor
    }
  } finally {
    await database.destroy()
  }
}
