import type { RunInfo } from '@graphmind-ai/schema'
import { type Answer, askApi, readAnswer } from './ask-api.ts'
import { asList, asNumber, asObject, asText } from './guards.ts'
import { readRunInfo } from './read-run-info.ts'

export interface RunPage {
  readonly runs: readonly RunInfo[]
  readonly nextCursor: string | undefined
  /** How many runs there are and how many of them the filter keeps: on the first page of a filter. */
  readonly counts: { readonly all: number; readonly matching: number } | undefined
}

export interface RunPageRequest {
  readonly query: string
  /** Such as `-started`. */
  readonly sort: string
  readonly limit: number
  readonly cursor?: string | undefined
}

/** A page of the runs list (docs/http.md, `GET /api/runs`). */
export async function askRunPage({ query, sort, limit, cursor }: RunPageRequest): Promise<Answer<RunPage>> {
  const search = new URLSearchParams({ q: query, sort, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) })
  return readAnswer(await askApi(`/api/runs?${search}`), (value) => {
    const page = asObject(value)
    const runs = asList(page?.['runs'])
    if (page === undefined || runs === undefined) return undefined
    const counts = asObject(page['counts'])
    const all = asNumber(counts?.['all'])
    const matching = asNumber(counts?.['matching'])
    return {
      runs: runs.map(readRunInfo).filter((run) => run !== undefined),
      nextCursor: asText(page['nextCursor']),
      counts: all === undefined || matching === undefined ? undefined : { all, matching },
    }
  })
}

/** What a person says of a run; a part that is absent stays, null takes it back. */
export interface RunMarks {
  readonly name?: string | null
  readonly tags?: readonly string[]
  readonly pinned?: boolean
  readonly note?: string | null
}

export async function markRun(runId: string, marks: RunMarks): Promise<Answer<RunInfo>> {
  const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(marks) }
  return readAnswer(await askApi(pathOf(runId), init), readRunInfo)
}

/** Takes a run out of the list; the answer is until when it can be restored (epoch ms). */
export async function deleteRun(runId: string): Promise<Answer<number>> {
  return readAnswer(await askApi(pathOf(runId), { method: 'DELETE' }), (value) => asNumber(asObject(value)?.['restorableUntil']))
}

export async function restoreRun(runId: string): Promise<Answer<RunInfo>> {
  return readAnswer(await askApi(`${pathOf(runId)}/restore`, { method: 'POST' }), readRunInfo)
}

function pathOf(runId: string): string {
  return `/api/runs/${encodeURIComponent(runId)}`
}
