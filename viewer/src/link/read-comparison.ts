import { type ChangedField, type Delta, NODE_KINDS, type NodeKind, type RunInfo, type RunTotals } from '@graphmind-ai/schema'
import { asList, asNumber, asObject, asText, type Loose, oneOf } from './guards.ts'
import { readRunInfo } from './read-run-info.ts'

/** One call in a comparison, without what went through it. Times are epoch ms, lengths ms. */
export interface ComparedCall {
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  readonly model: string | undefined
  readonly status: 'running' | 'paused' | 'ok' | 'error' | 'aborted'
  readonly startedAt: number
  /** Without the time it was held. */
  readonly durationMs: number | undefined
}

/** One row of two runs side by side. */
export type ComparedPair = { readonly depth: number } & (
  | {
      readonly verdict: 'same' | 'changed'
      readonly left: ComparedCall
      readonly right: ComparedCall
      readonly changes: readonly ChangedField[]
      readonly delta: Delta
    }
  | { readonly verdict: 'left-only'; readonly left: ComparedCall; readonly right?: undefined }
  | { readonly verdict: 'right-only'; readonly right: ComparedCall; readonly left?: undefined }
)

export interface ComparedSide {
  readonly run: RunInfo
  readonly totals: RunTotals
}

/** Two runs side by side, as the collector aligned them. */
export interface Comparison {
  readonly left: ComparedSide
  readonly right: ComparedSide
  readonly delta: Delta
  readonly isSame: boolean
  readonly rows: readonly ComparedPair[]
}

const STATUSES: readonly ComparedCall['status'][] = ['running', 'paused', 'ok', 'error', 'aborted']
const FIELDS: readonly ChangedField[] = ['node', 'status', 'error', 'model', 'input', 'output']
const MEASURES = ['durationMs', 'inputTokens', 'outputTokens', 'costUsd', 'errors'] as const

/** Reads the answer of `GET /api/compare`; undefined when it is none. */
export function readComparison(value: unknown): Comparison | undefined {
  const answer = asObject(value)
  const [left, right] = [readSide(answer?.['left']), readSide(answer?.['right'])]
  const rows = asList(answer?.['rows'])
  if (answer === undefined || left === undefined || right === undefined || rows === undefined) return undefined
  return {
    left,
    right,
    delta: readMeasures(answer['delta']),
    isSame: answer['isSame'] === true,
    rows: rows.flatMap((row) => readPair(row) ?? []),
  }
}

function readSide(value: unknown): ComparedSide | undefined {
  const side = asObject(value)
  const run = readRunInfo(side?.['run'])
  const totals = asObject(side?.['totals'])
  if (run === undefined || totals === undefined) return undefined
  return { run, totals: { errors: 0, ...readMeasures(totals), instances: asNumber(totals['instances']) ?? 0 } }
}

function readMeasures(value: unknown): Delta {
  const measures = asObject(value)
  return Object.fromEntries(
    MEASURES.flatMap((measure) => {
      const number = asNumber(measures?.[measure])
      return number === undefined ? [] : [[measure, number] as const]
    }),
  )
}

function readPair(value: unknown): ComparedPair | undefined {
  const row = asObject(value)
  const depth = asNumber(row?.['depth']) ?? 0
  const [left, right] = [readCall(asObject(row?.['left'])), readCall(asObject(row?.['right']))]
  if (left === undefined) return right === undefined ? undefined : { verdict: 'right-only', depth, right }
  if (right === undefined) return { verdict: 'left-only', depth, left }
  const changes = (asList(row?.['changes']) ?? []).flatMap((field) => oneOf(FIELDS, field) ?? [])
  return { verdict: row?.['verdict'] === 'same' ? 'same' : 'changed', depth, left, right, changes, delta: readMeasures(row?.['delta']) }
}

function readCall(call: Loose | undefined): ComparedCall | undefined {
  const id = asText(call?.['id'])
  const startedAt = asNumber(call?.['startedAt'])
  if (call === undefined || id === undefined || startedAt === undefined) return undefined
  const durationMs = asNumber(call['durationMs'])
  return {
    id,
    kind: oneOf(NODE_KINDS, call['kind']) ?? 'custom',
    name: asText(call['name']) ?? id,
    model: asText(call['model']),
    status: oneOf(STATUSES, call['status']) ?? 'running',
    startedAt,
    durationMs: durationMs === undefined ? undefined : Math.max(0, durationMs - (asNumber(call['heldMs']) ?? 0)),
  }
}
