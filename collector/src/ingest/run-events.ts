import type { ErrorInfo, RunStatus, SdkInfo } from '@graphmind-ai/schema'
import { digest, millisOf, type SpanEvent, spanEvent, toJson } from './outbox.ts'
import { earlier, type RunFact, type RunState, type SpanRecord } from './run-state.ts'
import { endOf } from './span-facts.ts'
import { isShown, recordOf } from './tree.ts'

const UNKNOWN_SDK: SdkInfo = { name: 'opentelemetry', version: '' }

interface Verdict {
  readonly status: RunStatus
  readonly error?: ErrorInfo
  readonly endNanos: bigint
}

/** Takes in what a span says about its run. */
export function noteRunFacts(state: RunState, record: SpanRecord): void {
  const { facts, id } = record
  const at = <Value>(value: Value): RunFact<Value> => ({ value, startNanos: facts.startNanos, spanId: id })
  state.first = earlier(
    state.first,
    at({ ...(facts.app === undefined ? {} : { app: facts.app }), ...(facts.sdk ? { sdk: facts.sdk } : {}) }),
  )
  const { name, sessionId, userId, tags } = facts.run ?? {}
  if (name !== undefined) state.name = earlier(state.name, at(name))
  if (sessionId !== undefined) state.sessionId = earlier(state.sessionId, at(sessionId))
  if (userId !== undefined) state.userId = earlier(state.userId, at(userId))
  if (tags !== undefined) state.tags = earlier(state.tags, at(tags))
}

/** Sends run.started when what is known of the run changed, or when a finished run goes on. */
export function emitRunStarted(state: RunState, out: SpanEvent[]): void {
  const root = firstRoot(state)
  const first = state.first
  if (first === undefined) return
  const payload = {
    app: root?.facts.app ?? first.value.app ?? '',
    sdk: root?.facts.sdk ?? first.value.sdk ?? UNKNOWN_SDK,
    meta: defined({
      source: state.source,
      name: root === undefined ? state.name?.value : (root.facts.run?.name ?? root.facts.name),
      sessionId: state.sessionId?.value,
      userId: state.userId?.value,
      tags: state.tags?.value,
    }),
  }
  const reopened = state.runFinished !== undefined && !state.settled && verdictOf(state) === undefined
  const sent = digest(toJson(payload))
  // A hidden span that began before all others has no event of its own to say so.
  const earlierThanSaid = state.runStarted !== undefined && isHidden(state, first.spanId) && millisOf(first.startNanos) < state.saidFrom
  if (sent === state.runStarted && !reopened && !earlierThanSaid) return
  state.runStarted = sent
  if (reopened) delete state.runFinished
  push(state, 'run.started', first.startNanos, reopened ? { ...payload, reopened } : payload, out)
}

export function noteSaidFrom(state: RunState, ms: number): void {
  if (ms < state.saidFrom) state.saidFrom = ms
}

function isHidden(state: RunState, spanId: string): boolean {
  const record = state.spans.get(spanId)
  return record !== undefined && !isShown(state, record)
}

/** Sends run.finished once every root has ended, and again when that outcome changes. */
export function emitRunFinished(state: RunState, out: SpanEvent[]): void {
  const verdict = verdictOf(state)
  if (verdict !== undefined) finish(state, verdict, out)
}

/** The outcome of a run that has gone quiet without its root: the topmost spans decide, unless something is still open. */
export function settleQuietRun(state: RunState): readonly SpanEvent[] {
  const out: SpanEvent[] = []
  if (state.roots.size > 0 || state.openCount > 0 || state.spans.size === 0) return out
  const topmost = [...state.spans.values()].filter((record) => record.cut || !state.spans.has(record.facts.parent ?? ''))
  finish(state, judge(topmost), out)
  state.settled = true
  return out
}

function finish(state: RunState, { status, error, endNanos }: Verdict, out: SpanEvent[]): void {
  const payload = { status, ...(error === undefined ? {} : { error }) }
  const sent = finishDigest(millisOf(endNanos), toJson(payload))
  if (sent === state.runFinished) return
  state.runFinished = sent
  push(state, 'run.finished', endNanos, payload, out)
}

/** Tells outcomes apart by time, status and error. */
export function finishDigest(endMs: number, payloadJson: string): string {
  return digest(`${endMs}${payloadJson}`)
}

/** Every root has ended. */
export function hasEnded(state: RunState): boolean {
  return verdictOf(state) !== undefined
}

/** What the roots say: undefined while one is open, or while there is none. */
function verdictOf(state: RunState): Verdict | undefined {
  if (state.roots.size === 0) return undefined
  const roots = [...state.roots].map((id) => recordOf(state, id))
  return roots.every((root) => root.facts.final) ? judge(roots) : undefined
}

function judge(records: readonly SpanRecord[]): Verdict {
  const byStart = [...records].sort((one, other) => compare(one.facts.startNanos, other.facts.startNanos) || compare(one.id, other.id))
  const failed = byStart.find((record) => record.facts.status === 'error')
  const status = failed === undefined ? (byStart.find((record) => record.facts.status === 'aborted')?.facts.status ?? 'ok') : 'error'
  let endNanos = 0n
  for (const { facts } of byStart) if (endOf(facts) > endNanos) endNanos = endOf(facts)
  return { status, endNanos, ...(failed?.facts.error === undefined ? {} : { error: failed.facts.error }) }
}

function firstRoot(state: RunState): SpanRecord | undefined {
  let first: SpanRecord | undefined
  for (const id of state.roots) {
    const root = recordOf(state, id)
    const order = first === undefined ? -1 : compare(root.facts.startNanos, first.facts.startNanos) || compare(root.id, first.id)
    if (order < 0) first = root
  }
  return first
}

function push(state: RunState, type: string, nanos: bigint, payload: object, out: SpanEvent[]): void {
  if (type === 'run.started') noteSaidFrom(state, millisOf(nanos))
  const count = state.runSent[type] ?? 0
  out.push(spanEvent(type, state.runId, count, { ts: millisOf(nanos) }, payload))
  state.runSent = { ...state.runSent, [type]: count + 1 }
}

function compare<Value extends bigint | string>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function defined(fields: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
