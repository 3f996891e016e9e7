import { isVagueFailure } from '@graphmind-ai/mappings'
import type { ErrorInfo } from '@graphmind-ai/schema'
import { withBorrowed } from './borrow.ts'
import { withHidden } from './hidden-content.ts'
import { jsonOf, millisOf, type SpanEvent, spanEvent } from './outbox.ts'
import { hasEnded } from './run-events.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import { type Difference, difference, type Fields, identityText, isReserved, type Said, type Texts } from './said.ts'
import { type ContentSource, copiesOf, mergeContents, type NodeContent } from './span-content.ts'
import { endOf, type SpanFacts } from './span-facts.ts'
import { isShown, outermost, placeId, placeOf, recordOf, twinsOf } from './tree.ts'

const NOTHING: Said = {}
const NONE: readonly string[] = []
const NO_CHANGE: Omit<Difference, 'said'> = { changed: NOTHING, texts: NOTHING, cleared: NONE }

/** Says anew who and where the instance of this span is, when that differs from what was said last. Payloads stay as they were sent. */
export function refreshPlace(state: RunState, record: SpanRecord, source: ContentSource, out: SpanEvent[]): void {
  const keeper = emitAliases(state, record, out)
  if (keeper === undefined) return
  if (keeper.emitted.said === undefined) refreshContent(state, record, source, out)
  else emitStarted(state, keeper, NOTHING, NOTHING, NONE, out)
}

/** Says everything anew that differs from what was said last, after a copy of this span or a twin came in. */
export function refreshContent(state: RunState, record: SpanRecord, source: ContentSource, out: SpanEvent[]): void {
  const keeper = emitAliases(state, record, out)
  if (keeper === undefined) return
  const group = twinsOf(state, keeper)
  const own = mergeContents(group.flatMap((member) => copiesOf(source, member)))
  const facts = outcomeOf(group)
  const { kind } = outermost(state, keeper).facts
  const content = withHidden(withBorrowed(state, keeper, own, source), kind, state.hidden, facts.final && facts.status === 'ok')
  const { said } = keeper.emitted
  const start = difference(said ?? NOTHING, startFields(content), 'start')
  keeper.emitted.said = start.said
  if (facts.final && said !== undefined) {
    const { now, late } = splitLate(start.changed)
    emitStarted(state, keeper, now, start.texts, NONE, out)
    emitEnd(state, keeper, facts, content, { ...start, changed: late }, out)
    return
  }
  const cleared = facts.final ? start.cleared : [...start.cleared, ...takeBackEnd(keeper)]
  emitStarted(state, keeper, start.changed, start.texts, cleared, out)
  if (facts.final) emitEnd(state, keeper, facts, content, NO_CHANGE, out)
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
  // From now on the other speaks for it: what holds of both is said there.
  const cleared = emitted.said === undefined ? undefined : ['*']
  const payload = defined({ nodeId, kind, name, instanceId: id, aliasOf: target, cleared, startTimeUnixNano: String(startNanos) })
  send(record, 'node.started', startNanos, payload, out)
  delete emitted.said
  emitted.alias = target
  if (!state.spans.has(target)) state.pointedAt.add(target)
}

function emitStarted(
  state: RunState,
  keeper: SpanRecord,
  fields: Fields,
  texts: Texts,
  cleared: readonly string[],
  out: SpanEvent[],
): void {
  const { emitted } = keeper
  const { nodeId, kind, name, startNanos, derived } = outermost(state, keeper).facts
  const place = placeOf(state, keeper)
  const parent = placeId(place)
  const parentId = place !== undefined && 'record' in place ? outermost(state, place.record).facts.nodeId : undefined
  const identity = identityText(nodeId, kind, name, parentId, startNanos)
  const first = emitted.identity === undefined
  const moved = first || !samePlace(state, emitted.parent, parent)
  const unalias = emitted.alias !== undefined
  if (emitted.identity === identity && !moved && !unalias && Object.keys(fields).length === 0 && cleared.length === 0) return
  const nowhere = first ? undefined : null
  const payload = {
    ...fields,
    nodeId,
    ...defined({ parentId: parentId ?? nowhere, parentInstanceId: parent ?? nowhere, aliasOf: unalias ? null : undefined }),
    kind,
    name,
    instanceId: keeper.id,
    ...(derived === true ? { derived } : first ? { traceId: state.runId, spanId: keeper.id } : {}),
    startTimeUnixNano: String(startNanos),
    ...(cleared.length === 0 ? {} : { cleared }),
  }
  send(keeper, 'node.started', startNanos, payload, out, texts)
  if (parent !== undefined && !state.spans.has(parent)) state.pointedAt.add(parent)
  delete emitted.alias
  emitted.identity = identity
  if (parent === undefined) delete emitted.parent
  else emitted.parent = parent
}

/** `late`: what of the start is said with the end. */
function emitEnd(
  state: RunState,
  keeper: SpanRecord,
  facts: SpanFacts,
  content: NodeContent,
  late: Omit<Difference, 'said'>,
  out: SpanEvent[],
): void {
  const { nodeId, status, startNanos } = facts
  const end = endOf(facts)
  const error = errorToSay(state, keeper, facts, content)
  const before = keeper.emitted.said ?? NOTHING
  const { output, usage, usageIsSum, heldMs, injected, finishReason, firstTokenMs, model } = content
  const times = { durationMs: Number(end - startNanos) / 1e6, endTimeUnixNano: String(end) }
  const ended = { output, usage, usageIsSum, heldMs, injected, finishReason, firstTokenMs, ...times, status }
  const { changed, texts, cleared, said } = difference(before, { ...ended, error }, 'end')
  keeper.emitted.said = said
  const { error: news, ...others } = changed
  if (news !== undefined) {
    // One error, as it is known now: not the vague one beside it.
    const payload = { nodeId, instanceId: keeper.id, error, heldMs, cleared: before['error'] === undefined ? undefined : ['error'] }
    send(keeper, 'node.error', end, payload, out, texts)
  }
  const gone = [...late.cleared, ...cleared]
  if (Object.keys(others).length === 0 && Object.keys(late.changed).length === 0 && gone.length === 0) return
  // An end is said whole: a reader may look at the newest one alone.
  const payload = { model, ...late.changed, nodeId, instanceId: keeper.id, ...ended, ...(gone.length === 0 ? {} : { cleared: gone }) }
  send(keeper, 'node.finished', end, payload, out, { ...late.texts, ...texts })
}

/** The error of a failed call; undefined while there may still come words for it. */
function errorToSay(state: RunState, keeper: SpanRecord, facts: SpanFacts, content: NodeContent): ErrorInfo | undefined {
  state.vague.delete(keeper.id)
  if (facts.status !== 'error') return undefined
  const error = content.error ?? facts.error ?? { name: 'Error', message: `${facts.name} failed` }
  if (facts.kind !== 'tool' || hasEnded(state) || !isVagueFailure(error)) return error
  state.vague.add(keeper.id)
  return undefined
}

/** The end that was said of an instance whose outermost span turned out to go on: the names to clear. */
function takeBackEnd(keeper: SpanRecord): readonly string[] {
  const { said } = keeper.emitted
  if (said?.['status'] === undefined) return NONE
  const { cleared, said: left } = difference(said, {}, 'end')
  keeper.emitted.said = left
  return cleared
}

/** What belongs to the start of a node: known then for live spans, later for the others. */
function startFields(content: NodeContent): Fields {
  const { input, model, provider, toolCallId, attempt, ungated, dialect, extras } = content
  const fields: { [name: string]: unknown } = {}
  if (extras !== undefined) for (const name of Object.keys(extras)) if (!isReserved(name)) fields[name] = extras[name]
  return Object.assign(fields, defined({ input, model, provider, toolCallId, attempt, ungated, dialect }))
}

/** Of what changed after an end: what only the start can say, and what goes with the end. */
function splitLate({ provider, toolCallId, attempt, ungated, ...late }: Fields): { readonly now: Fields; readonly late: Fields } {
  return { now: defined({ provider, toolCallId, attempt, ungated }), late }
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

/** `texts`: JSON of fields that is at hand. */
function send(record: SpanRecord, type: string, nanos: bigint, payload: Fields, out: SpanEvent[], texts: Texts = NOTHING): void {
  const { sent } = record.emitted
  const count = sent[type] ?? 0
  out.push(spanEvent(type, record.id, count, { ts: millisOf(nanos), instanceId: record.id }, payload, jsonOfFields(payload, texts)))
  sent[type] = count + 1
}

function jsonOfFields(fields: Fields, texts: Texts): string {
  let json = ''
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value !== undefined) json += `${json === '' ? '{' : ','}${JSON.stringify(name)}:${texts[name] ?? jsonOf(value)}`
  }
  return `${json}}`
}

function defined(fields: Fields): Fields {
  const kept: { [name: string]: unknown } = {}
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept
}
