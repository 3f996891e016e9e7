import {
  NODE_KINDS,
  type NodeKind,
  type RunCategory,
  type RunInfo,
  type RunSource,
  type RunState,
  type TokenUsage,
} from '@graphmind-ai/schema'
import { asList, asNumber, asObject, asText, oneOf } from './guards.ts'

const STATES: readonly RunState[] = ['running', 'ok', 'error', 'aborted', 'abandoned']
const SOURCES: readonly RunSource[] = ['live', 'import', 'demo']
const CATEGORIES: readonly RunCategory[] = ['agent', 'other']

/** Reads one run of the list; undefined when it names no run. Fields an older collector doesn't send get their plainest value. */
export function readRunInfo(value: unknown): RunInfo | undefined {
  const run = asObject(value)
  const id = asText(run?.['id'])
  const startedAt = asNumber(run?.['startedAt'])
  const status = oneOf(STATES, run?.['status'])
  if (run === undefined || id === undefined || startedAt === undefined || status === undefined) return undefined
  const app = asText(run['app']) ?? ''
  const usage = readUsage(run['usage'])
  const costUsd = asNumber(run['costUsd'])
  const sessionId = asText(run['sessionId'])
  const mergedInto = asText(run['mergedInto'])
  const originalName = asText(run['originalName'])
  const note = asText(run['note'])
  const heldSince = asNumber(run['heldSince'])
  const detachedSince = asNumber(run['detachedSince'])
  const stepCount = asNumber(run['stepCount'])
  return {
    id,
    app,
    name: asText(run['name']) || app || id,
    startedAt,
    finishedAt: asNumber(run['finishedAt']) ?? null,
    durationMs: asNumber(run['durationMs']) ?? null,
    heldMs: asNumber(run['heldMs']) ?? 0,
    status,
    schemaVersion: asNumber(run['schemaVersion']) ?? 1,
    source: oneOf(SOURCES, run['source']) ?? 'live',
    category: oneOf(CATEGORIES, run['category']) ?? 'agent',
    eventCount: asNumber(run['eventCount']) ?? 0,
    errorCount: asNumber(run['errorCount']) ?? 0,
    spanCount: asNumber(run['spanCount']) ?? 0,
    nodeCount: asNumber(run['nodeCount']) ?? 0,
    live: run['live'] === true,
    held: asNumber(run['held']) ?? 0,
    models: textsOf(run['models']),
    kinds: textsOf(run['kinds']).filter((kind): kind is NodeKind => oneOf(NODE_KINDS, kind) !== undefined),
    nodeNames: textsOf(run['nodeNames']),
    pinned: run['pinned'] === true,
    tags: textsOf(run['tags']),
    traceIds: textsOf(run['traceIds']),
    ...(heldSince === undefined ? {} : { heldSince }),
    ...(detachedSince === undefined ? {} : { detachedSince }),
    ...(stepCount === undefined ? {} : { stepCount }),
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(mergedInto === undefined ? {} : { mergedInto }),
    ...(originalName === undefined ? {} : { originalName }),
    ...(note === undefined ? {} : { note }),
  }
}

function textsOf(value: unknown): readonly string[] {
  return (asList(value) ?? []).filter((item): item is string => typeof item === 'string')
}

function readUsage(value: unknown): TokenUsage | undefined {
  const usage = asObject(value)
  const inputTokens = asNumber(usage?.['inputTokens'])
  const outputTokens = asNumber(usage?.['outputTokens'])
  if (usage === undefined || inputTokens === undefined || outputTokens === undefined) return undefined
  return { ...usage, inputTokens, outputTokens }
}
