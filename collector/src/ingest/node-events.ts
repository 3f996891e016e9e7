import { isVagueFailure } from '@graphmind-ai/mappings'
import { withBorrowed } from './borrow.ts'
import { digest, millisOf, type SpanEvent, spanEvent, toJson } from './outbox.ts'
import { hasEnded } from './run-events.ts'
import type { Emitted, RunState, SpanRecord } from './run-state.ts'
import { type ContentSource, copiesOf, mergeContents, type NodeContent } from './span-content.ts'
import { endOf, type SpanFacts } from './span-facts.ts'
import { isShown, outermost, placeId, placeOf, recordOf, twinsOf } from './tree.ts'

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

type Fields = { readonly [name: string]: unknown }

/** Says anew who and where the instance of this span is, when that differs from what was said last. Payloads stay as they were sent. */
export function refreshPlace(state: RunState, record: SpanRecord, source: ContentSource, out: SpanEvent[]): void {
  const keeper = emitAliases(state, record, out)
  if (keeper === undefined) return
  if (keeper.emitted.identity === undefined) refreshContent(state, record, source, out)
  else emitStarted(state, keeper, {}, out)
}

/** Says everything anew that differs from what was said last, after a copy of this span or a twin came in. */
export function refreshContent(state: RunState, record: SpanRecord, source: ContentSource, out: SpanEvent[], concluding = false): void {
  const keeper = emitAliases(state, record, out)
  if (keeper === undefined) return
  const group = twinsOf(state, keeper)
  const own = mergeContents(group.flatMap((member) => copiesOf(source, member)))
  const content = withBorrowed(state, keeper, own, source)
  const facts = outcomeOf(group)
  const first = keeper.emitted.identity === undefined
  const fields = startFields(content)
  const late = first ? {} : changedFields(keeper.emitted, fields)
  const { provider, toolCallId, attempt, ungated, ...others } = late
  emitStarted(state, keeper, first ? fields : defined({ provider, toolCallId, attempt, ungated }), out)
  if (first) keeper.emitted = { ...keeper.emitted, fields: fieldDigests(fields) }
  if (!facts.final) return
  // Another candidate in the same batch may part them again, and what an end has said can't be taken back.
  if (group.length > 1 && !concluding) state.waitingEnds.add(keeper.id)
  else emitEnd(state, keeper, facts, content, others, out)
}

/** Says how calls ended that several spans describe, once the batch is whole. */
export function emitWaitingEnds(state: RunState, source: ContentSource, out: SpanEvent[]): void {
  const waiting = [...state.waitingEnds]
  state.waitingEnds.clear()
  for (const id of waiting) refreshContent(state, recordOf(state, id), source, out, true)
}

/** Says of tools that failed without a word at least that they did. */
export function emitVagueErrors(state: RunState, source: ContentSource, out: SpanEvent[]): void {
  const waiting = [...state.vague]
  for (const id of waiting) refreshContent(state, recordOf(state, id), source, out)
  state.vague.clear()
}

/** An outer span may not know that the call inside it failed. */
function outcomeOf(group: readonly SpanRecord[]): SpanFacts {
  const [outer] = group
  if (outer === undefined) throw new Error('a group of twins without a member')
  const failed = outer.facts.status === 'ok' ? group.find(({ facts }) => facts.status === 'error') : undefined
  if (failed === undefined) return outer.facts
  return { ...outer.facts, status: 'error', ...(failed.facts.error === undefined ? {} : { error: failed.facts.error }) }
}

/** Takes hidden spans and spare twins out of the picture; returns the instance that stands for the span, or undefined when it is hidden. */
function emitAliases(state: RunState, record: SpanRecord, out: SpanEvent[]): SpanRecord | undefined {
  if (!isShown(state, outermost(state, record))) {
    if (!isMentioned(state, record)) return undefined
    const target = placeId(placeOf(state, record))
    if (target !== undefined) emitAlias(state, record, target, out)
    return undefined
  }
  for (const member of twinsOf(state, record)) if (member.id !== member.keeper) emitAlias(state, member, member.keeper, out)
  return recordOf(state, record.keeper)
}

/** Some event has named this instance, so it has to be said where it went. */
function isMentioned(state: RunState, record: SpanRecord): boolean {
  return record.emitted.identity !== undefined || state.pointedAt.has(record.id)
}

function emitAlias(state: RunState, record: SpanRecord, target: string, out: SpanEvent[]): void {
  const { emitted, facts, id } = record
  if (!isMentioned(state, record)) return
  if (emitted.alias !== undefined && resolveEmitted(state, emitted.alias) === resolveEmitted(state, target)) return
  const { nodeId, kind, name, startNanos } = facts
  const payload = { nodeId, kind, name, instanceId: id, aliasOf: target, startTimeUnixNano: String(startNanos) }
  send(record, 'node.started', startNanos, payload, out)
  record.emitted = { ...record.emitted, alias: target }
  if (!state.spans.has(target)) state.pointedAt.add(target)
}

function emitStarted(state: RunState, keeper: SpanRecord, fields: Fields, out: SpanEvent[]): void {
  const { emitted } = keeper
  const { nodeId, kind, name, startNanos, derived } = outermost(state, keeper).facts
  const place = placeOf(state, keeper)
  const parent = placeId(place)
  const parentId = place !== undefined && 'record' in place ? outermost(state, place.record).facts.nodeId : undefined
  const identity = JSON.stringify([nodeId, kind, name, parentId, String(startNanos)])
  const first = emitted.identity === undefined
  const moved = first || !samePlace(state, emitted.parent, parent)
  const unalias = emitted.alias !== undefined
  if (emitted.identity === identity && !moved && !unalias && Object.keys(fields).length === 0) return
  const cleared = first ? undefined : null
  const payload = {
    ...fields,
    nodeId,
    ...defined({ parentId: parentId ?? cleared, parentInstanceId: parent ?? cleared, aliasOf: unalias ? null : undefined }),
    kind,
    name,
    instanceId: keeper.id,
    ...(derived === true ? { derived } : first ? { traceId: state.runId, spanId: keeper.id } : {}),
    startTimeUnixNano: String(startNanos),
  }
  send(keeper, 'node.started', startNanos, payload, out)
  if (parent !== undefined && !state.spans.has(parent)) state.pointedAt.add(parent)
  const { alias: _alias, parent: _parent, ...rest } = keeper.emitted
  keeper.emitted = { ...rest, identity, ...(parent === undefined ? {} : { parent }) }
}

function emitEnd(state: RunState, keeper: SpanRecord, facts: SpanFacts, content: NodeContent, late: Fields, out: SpanEvent[]): void {
  const { nodeId, status, startNanos } = facts
  const end = endOf(facts)
  const error = content.error ?? facts.error ?? { name: 'Error', message: `${facts.name} failed` }
  const failed = isVagueFailure(error) ? 'vaguely' : 'plainly'
  const waits = failed === 'vaguely' && facts.kind === 'tool' && !hasEnded(state)
  if (status === 'error' && waits) state.vague.add(keeper.id)
  else if (status === 'error' && keeper.emitted.failed !== 'plainly' && keeper.emitted.failed !== failed) {
    state.vague.delete(keeper.id)
    send(keeper, 'node.error', end, { nodeId, instanceId: keeper.id, error, ...defined({ heldMs: content.heldMs }) }, out)
    keeper.emitted = { ...keeper.emitted, failed }
  }
  const { output, usageIsSum, heldMs, injected, finishReason, firstTokenMs, model } = content
  // Counted for a twin that turned out to be another call: said to be nothing, so that it counts once.
  const usage = content.usage ?? (keeper.emitted.counted === true ? NO_USAGE : undefined)
  const payload = {
    ...late,
    nodeId,
    instanceId: keeper.id,
    ...defined({ output, usage, usageIsSum, heldMs, injected, finishReason, firstTokenMs, model }),
    durationMs: Number(end - startNanos) / 1e6,
    status,
    endTimeUnixNano: String(end),
  }
  const finished = digest(toJson(payload))
  if (finished === keeper.emitted.finished) return
  send(keeper, 'node.finished', end, payload, out)
  keeper.emitted = { ...keeper.emitted, finished, ...(usage === undefined ? {} : { counted: true }) }
}

/** What belongs to the start of a node: known then for live spans, later for the others. */
function startFields(content: NodeContent): Fields {
  const { input, model, provider, toolCallId, attempt, ungated, dialect, extras } = content
  return { ...extras, ...defined({ input, model, provider, toolCallId, attempt, ungated, dialect }) }
}

/** Fields that were not sent before, or were sent with another value. */
function changedFields(emitted: Emitted, fields: Fields): Fields {
  const { fields: known } = emitted
  if (known === undefined) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => known[name] !== digestOf(value)))
}

/** Digests of payload fields, to tell later which of them changed. */
export function fieldDigests(fields: Fields): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, digestOf(value)]))
}

function digestOf(value: unknown): string {
  return digest(toJson({ value }))
}

function samePlace(state: RunState, sent: string | undefined, wanted: string | undefined): boolean {
  if (sent === undefined || wanted === undefined) return sent === wanted
  return resolveEmitted(state, sent) === resolveEmitted(state, wanted)
}

/** Where the aliases sent so far lead. */
function resolveEmitted(state: RunState, id: string): string {
  let at = id
  const seen = new Set<string>()
  for (let next = state.spans.get(at)?.emitted.alias; next !== undefined && !seen.has(next); next = state.spans.get(at)?.emitted.alias) {
    seen.add(next)
    at = next
  }
  return at
}

function send(record: SpanRecord, type: string, nanos: bigint, payload: object, out: SpanEvent[]): void {
  const count = record.emitted.sent[type] ?? 0
  out.push(spanEvent(type, record.id, count, { ts: millisOf(nanos), instanceId: record.id }, payload))
  record.emitted = { ...record.emitted, sent: { ...record.emitted.sent, [type]: count + 1 } }
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
