import { type Kysely, sql } from 'kysely'
import { failed, ok, type Result } from '../../problem.ts'
import type { Tables } from '../tables.ts'
import type { RunListRow } from './runs.ts'

export const DEFAULT_SESSIONS_LIMIT = 100
export const MAX_SESSIONS_LIMIT = 500

/** The runs of one conversation, summed up. Times are epoch ms. */
export interface SessionInfo {
  readonly sessionId: string
  readonly runs: number
  readonly running: number
  /** Runs in which something failed. */
  readonly failed: number
  readonly startedAt: number
  readonly lastStartedAt: number
  /** Of the runs that reported any. */
  readonly tokens?: number
  readonly costUsd?: number
  /** Shown name and id of the newest run. */
  readonly newest: { readonly id: string; readonly name: string }
}

const LISTED = sql`session_id IS NOT NULL AND deleted_at IS NULL AND merged_into IS NULL`

interface SessionRow {
  session_id: string
  runs: number
  running: number
  failed: number
  first: number
  last: number
  tokens: number | null
  cost_usd: number | null
  newest_id: string
  newest_name: string
}

/** Conversations, the one with the newest run first, a page at a time. */
export async function listSessions(
  database: Kysely<Tables>,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<Result<{ readonly sessions: readonly SessionInfo[]; readonly nextCursor: string | null }>> {
  const from = cursor === undefined ? undefined : readPlace(cursor)
  if (cursor !== undefined && from === undefined) {
    return failed('bad-cursor', 'cursor is not one that this server gave out for this list. Take nextCursor of the page before.')
  }
  const beyond = from === undefined ? sql`` : sql`HAVING (max(started_at), session_id) < (${from.last}, ${from.sessionId})`
  // With one max() SQLite takes the other columns from the row that has it (sqlite.org/lang_select.html#bareagg).
  const { rows } = await sql<SessionRow>`
    SELECT session_id, count(*) AS runs, total(status = 'running') AS running, total(error_count > 0 OR status = 'error') AS failed,
      (SELECT min(started_at) FROM runs AS earlier WHERE earlier.session_id = runs.session_id AND deleted_at IS NULL AND merged_into IS NULL) AS first,
      max(started_at) AS last, sum(tokens) AS tokens, sum(cost_usd) AS cost_usd, id AS newest_id, coalesce(title, name) AS newest_name
    FROM runs WHERE ${LISTED} GROUP BY session_id ${beyond} ORDER BY last DESC, session_id DESC LIMIT ${limit + 1}`.execute(database)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return ok({ sessions: page.map(sessionOf), nextCursor: rows.length > limit && last !== undefined ? writePlace(last) : null })
}

function sessionOf(row: SessionRow): SessionInfo {
  return {
    sessionId: row.session_id,
    runs: row.runs,
    running: row.running,
    failed: row.failed,
    startedAt: row.first,
    lastStartedAt: row.last,
    ...(row.tokens === null ? {} : { tokens: row.tokens }),
    ...(row.cost_usd === null ? {} : { costUsd: row.cost_usd }),
    newest: { id: row.newest_id, name: row.newest_name },
  }
}

/** Where a run stands in its conversation. */
export interface SessionPlace {
  readonly position: number
  readonly count: number
  readonly previous: RunListRow | undefined
  readonly next: RunListRow | undefined
}

/** A run's place among the runs of its session, oldest first; alone when it has none. */
export async function placeInSession(database: Kysely<Tables>, run: RunListRow): Promise<SessionPlace> {
  if (run.session_id === null) return { position: 1, count: 1, previous: undefined, next: undefined }
  const others = database
    .selectFrom('runs')
    .where('session_id', '=', run.session_id)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
  const before = others.where(sql<boolean>`(started_at, key) < (${run.started_at}, ${run.key})`)
  const after = others.where(sql<boolean>`(started_at, key) > (${run.started_at}, ${run.key})`)
  const count = sql<number>`count(*)`.as('count')
  const earlier = await before.select(count).executeTakeFirstOrThrow()
  const later = await after.select(count).executeTakeFirstOrThrow()
  return {
    position: earlier.count + 1,
    count: earlier.count + later.count + 1,
    previous: await before.selectAll().orderBy('started_at', 'desc').orderBy('key', 'desc').limit(1).executeTakeFirst(),
    next: await after.selectAll().orderBy('started_at').orderBy('key').limit(1).executeTakeFirst(),
  }
}

function writePlace({ last, session_id }: SessionRow): string {
  return Buffer.from(JSON.stringify([last, session_id])).toString('base64url')
}

function readPlace(cursor: string): { readonly last: number; readonly sessionId: string } | undefined {
  try {
    const [last, sessionId, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as readonly unknown[]
    if (rest.length > 0 || !Number.isSafeInteger(last) || typeof sessionId !== 'string') return undefined
    return { last: Number(last), sessionId }
  } catch {
    // Not one of ours.
    return undefined
  }
}
