import type { RunInfo } from '@graphmind-ai/schema'
import { type Answer, askApi, readAnswer } from './ask-api.ts'
import { asList, asNumber, asObject, asText } from './guards.ts'
import { readRunInfo } from './read-run-info.ts'

/** The runs of one conversation, summed up. Times are epoch ms. */
export interface Session {
  readonly sessionId: string
  readonly runs: number
  readonly running: number
  readonly failed: number
  readonly startedAt: number
  readonly lastStartedAt: number
  readonly tokens: number | undefined
  readonly costUsd: number | undefined
  /** Name of the newest run. */
  readonly newest: string
}

export interface SessionPage {
  readonly items: readonly Session[]
  readonly nextCursor: string | undefined
}

/** A page of the conversations, the one with the newest run first. */
export async function askSessions(cursor: string | undefined): Promise<Answer<SessionPage>> {
  const search = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`
  return readAnswer(await askApi(`/api/sessions${search}`), (value) => {
    const page = asObject(value)
    const sessions = asList(page?.['sessions'])
    if (page === undefined || sessions === undefined) return undefined
    return { items: sessions.map(readSession).filter((session) => session !== undefined), nextCursor: asText(page['nextCursor']) }
  })
}

function readSession(value: unknown): Session | undefined {
  const session = asObject(value)
  const sessionId = asText(session?.['sessionId'])
  const startedAt = asNumber(session?.['startedAt'])
  if (session === undefined || sessionId === undefined || startedAt === undefined) return undefined
  return {
    sessionId,
    startedAt,
    lastStartedAt: asNumber(session['lastStartedAt']) ?? startedAt,
    runs: asNumber(session['runs']) ?? 1,
    running: asNumber(session['running']) ?? 0,
    failed: asNumber(session['failed']) ?? 0,
    tokens: asNumber(session['tokens']),
    costUsd: asNumber(session['costUsd']),
    newest: asText(asObject(session['newest'])?.['name']) ?? '',
  }
}

/** Where a run stands in its conversation, oldest first. */
export interface SessionPlace {
  readonly position: number
  readonly count: number
  readonly previous: RunInfo | undefined
  readonly next: RunInfo | undefined
}

export async function askSessionPlace(runId: string): Promise<Answer<SessionPlace>> {
  return readAnswer(await askApi(`/api/runs/${encodeURIComponent(runId)}/session`), (value) => {
    const place = asObject(value)
    const position = asNumber(place?.['position'])
    const count = asNumber(place?.['count'])
    if (place === undefined || position === undefined || count === undefined) return undefined
    return { position, count, previous: readRunInfo(place['previous']), next: readRunInfo(place['next']) }
  })
}
