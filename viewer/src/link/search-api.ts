import { NODE_KINDS, type NodeKind } from '@graphmind-ai/schema'
import { SEARCH_FIELDS, type SearchField } from '../model/search-fields.ts'
import { type Answer, askApi, readAnswer } from './ask-api.ts'
import { asList, asNumber, asObject, asText, oneOf } from './guards.ts'

/** One field of one execution in which every word stands. */
export interface SearchHit {
  readonly runId: string
  readonly runName: string
  /** Epoch ms. */
  readonly runStartedAt: number
  readonly instanceId: string
  readonly kind: NodeKind | undefined
  readonly name: string
  readonly field: SearchField
  /** Where in the value, like `messages[2].content`; empty for the whole. */
  readonly path: string
  readonly snippet: Snippet
}

export interface Snippet {
  readonly text: string
  /** UTF-16 offsets of what was found, the end not included. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

export interface SearchPage {
  readonly items: readonly SearchHit[]
  readonly nextCursor: string | undefined
  /** Stored events, and how many of them are not searched yet. */
  readonly index: { readonly events: number; readonly waiting: number }
}

export interface SearchRequest {
  readonly words: string
  /** All when empty. */
  readonly fields: readonly SearchField[]
  readonly cursor?: string | undefined
}

/** A page of hits in what went through the calls, the newest first. */
export async function askSearch({ words, fields, cursor }: SearchRequest): Promise<Answer<SearchPage>> {
  const search = new URLSearchParams({ q: words, limit: '50' })
  if (fields.length > 0) search.set('in', fields.join(','))
  if (cursor !== undefined) search.set('cursor', cursor)
  return readAnswer(await askApi(`/api/search?${search}`), (value) => {
    const page = asObject(value)
    const hits = asList(page?.['hits'])
    if (page === undefined || hits === undefined) return undefined
    const index = asObject(page['index'])
    return {
      items: hits.map(readHit).filter((hit) => hit !== undefined),
      nextCursor: asText(page['nextCursor']),
      index: { events: asNumber(index?.['events']) ?? 0, waiting: asNumber(index?.['waiting']) ?? 0 },
    }
  })
}

function readHit(value: unknown): SearchHit | undefined {
  const hit = asObject(value)
  const runId = asText(hit?.['runId'])
  const instanceId = asText(hit?.['instanceId'])
  const field = oneOf(SEARCH_FIELDS, hit?.['field'])
  const snippet = asObject(hit?.['snippet'])
  const text = asText(snippet?.['text'])
  if (hit === undefined || runId === undefined || instanceId === undefined || field === undefined || text === undefined) return undefined
  return {
    runId,
    runName: asText(hit['runName']) ?? runId,
    runStartedAt: asNumber(hit['runStartedAt']) ?? 0,
    instanceId,
    kind: oneOf(NODE_KINDS, hit['kind']),
    name: asText(hit['name']) ?? instanceId,
    field,
    path: asText(hit['path']) ?? '',
    snippet: {
      text,
      ranges: (asList(snippet?.['ranges']) ?? []).map(readRange).filter((range) => range !== undefined),
      cutBefore: snippet?.['cutBefore'] === true,
      cutAfter: snippet?.['cutAfter'] === true,
    },
  }
}

function readRange(value: unknown): readonly [number, number] | undefined {
  const [start, end] = asList(value) ?? []
  const range = [asNumber(start), asNumber(end)] as const
  return range[0] === undefined || range[1] === undefined || range[1] <= range[0] ? undefined : [range[0], range[1]]
}
