import type { DerivedNode, MappedNode } from '@graphmind-ai/mappings'
import { type Ask, requestsIn, resultsIn, type ToolResult } from './call-facts.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import type { ContentSource } from './span-content.ts'
import { endOf } from './span-facts.ts'
import { isShown, outermost, placeOf, shownInside } from './tree.ts'

/** A place in the messages of a model call. */
export interface MessagePlace {
  readonly spanId: string
  readonly index: number
}

/** One use of a tool as the messages tell it: which model call asked, and which was given the result. */
export interface CallStory {
  readonly name: string
  /** The model call that asked, and the position among its requests. */
  readonly asked: MessagePlace
  told?: MessagePlace
  /** The instance that was put together from the messages, as no span tells of this use. */
  derivedId?: string
}

/** Takes in what a model call says about tools. Returns the ids of the stories that changed. */
export function noteCalls(state: RunState, step: SpanRecord): readonly string[] {
  const changed = new Set<string>()
  for (const [index, ask] of (step.facts.asks ?? []).entries()) {
    const id = storyId(step, ask, index)
    const known = state.stories.get(id)
    // A later request may repeat an answer as its own; the first to ask is who asked.
    if (known !== undefined && known.asked.spanId !== step.id && !startsBefore(state, step, known.asked.spanId)) continue
    const told = state.results.get(id)
    state.stories.set(id, { ...known, name: ask.name, asked: { spanId: step.id, index }, ...(told === undefined ? {} : { told }) })
    changed.add(id)
  }
  for (const [id, index] of tellsOf(state, step)) {
    const known = state.results.get(id)
    if (known !== undefined && known.spanId !== step.id && !startsBefore(state, step, known.spanId)) continue
    const told = { spanId: step.id, index }
    // Kept also when the request that asked has not come yet.
    state.results.set(id, told)
    const story = state.stories.get(id)
    if (story !== undefined) story.told = told
    changed.add(id)
  }
  return [...changed]
}

/** Stories whose results this call is given. Results without ids belong, in order, to what the call before asked for. */
function tellsOf(state: RunState, step: SpanRecord): readonly (readonly [id: string, index: number])[] {
  const tells = step.facts.tells ?? []
  if (tells.includes('')) state.namelessResults = true
  else return tells.map((id, index) => [id, index] as const)
  const before = stepBefore(state, step)
  const asks = before?.facts.asks ?? []
  if (before === undefined || asks.length !== tells.length) return []
  return asks.map((ask, index) => [storyId(before, ask, index), index] as const)
}

function storyId(step: SpanRecord, ask: Ask, index: number): string {
  return ask.id ?? `${step.id}:${index}`
}

/** The model call before this one at the same place. */
function stepBefore(state: RunState, step: SpanRecord): SpanRecord | undefined {
  const place = placeOf(state, step)
  if (place === undefined || !('record' in place)) return undefined
  let found: SpanRecord | undefined
  for (const other of shownInside(state, place.record)) {
    if (other.facts.kind !== 'llm' || other.facts.asks === undefined || other.facts.startNanos >= step.facts.startNanos) continue
    if (found === undefined || other.facts.startNanos > found.facts.startNanos) found = other
  }
  return found
}

function startsBefore(state: RunState, step: SpanRecord, otherId: string): boolean {
  const other = state.spans.get(otherId)
  return other === undefined || step.facts.startNanos < other.facts.startNanos
}

/**
 * The use of a tool that no span tells of, though the same program's other tools have spans: a span that was never ended, or lost.
 * Undefined when there is a span, when the result is not known yet, or when the program's tools have no spans at all.
 */
export function derivedCall(state: RunState, id: string, source: ContentSource): DerivedNode | undefined {
  const story = state.stories.get(id)
  if (story?.told === undefined) return undefined
  const asked = state.spans.get(story.asked.spanId)
  const told = state.spans.get(story.told.spanId)
  if (asked === undefined || told === undefined || state.toolSpans.size === 0 || spanOf(state, id, story, asked, told) !== undefined)
    return undefined
  const from = endOf(asked.facts)
  return {
    id: `call:${id}`,
    // A tool below a model call hangs where that call hangs.
    parentId: asked.id,
    startNanos: from,
    endNanos: endOf({ ...asked.facts, startNanos: from, endNanos: told.facts.startNanos }),
    mapped: derivedTool(story, source, state),
  }
}

/** The span of this use: by its call id, else the only kind of span that fits, of this tool and between question and answer. */
export function spanOf(
  state: RunState,
  id: string,
  story: CallStory,
  asked: SpanRecord,
  told: SpanRecord | undefined,
): SpanRecord | undefined {
  for (const spanId of state.subjects.get(`tool:${id}`) ?? []) {
    const span = state.spans.get(spanId)
    if (span !== undefined && span.facts.derived !== true) return span
  }
  const [from, until] = [asked.facts.startNanos, told?.facts.startNanos]
  const fitting = [...namesOf(state, story.name)]
    .flatMap((name) => [...(state.toolSpans.get(name) ?? [])])
    .flatMap((spanId) => state.spans.get(spanId) ?? [])
    .filter(({ facts }) => facts.toolCallId === undefined && facts.startNanos >= from && (until === undefined || facts.startNanos <= until))
    .sort(byStart)
  // Of several requests for one tool the first is taken to run first.
  const before = (asked.facts.asks ?? []).slice(0, story.asked.index).filter(({ name }) => name === story.name).length
  return fitting[before]
}

/** Handoffs are tools whose span has a name of its own. */
function namesOf(state: RunState, asked: string): Iterable<string> {
  return /^(transfer|handoff)/i.test(asked) ? state.toolSpans.keys() : [asked]
}

function byStart({ facts: one, id }: SpanRecord, { facts: other, id: otherId }: SpanRecord): number {
  if (one.startNanos !== other.startNanos) return one.startNanos < other.startNanos ? -1 : 1
  return id < otherId ? -1 : 1
}

function derivedTool(story: CallStory, source: ContentSource, state: RunState): MappedNode {
  const request = requestOf(story, source, state)
  const callId = callIdOf(state, story)
  const result = resultOf(story, source, state)
  const text = typeof result?.output === 'string' ? result.output : undefined
  const failed = result?.isError === true || (text !== undefined && /^(\w*Error|Exception): /.test(text))
  const message = text?.replace(/^Error: /, '') ?? JSON.stringify(result?.output ?? null)
  return {
    dialect: 'messages',
    role: 'node',
    kind: 'tool',
    nodeId: `tool:${story.name}`,
    name: story.name,
    ...(callId === undefined ? {} : { toolCallId: callId }),
    ...(request === undefined ? {} : { input: request }),
    ...(failed ? { error: { name: 'ToolError', message } } : result === undefined ? {} : { output: result.output }),
  }
}

/** The id under which the model asked, where its sender gives one. */
export function callIdOf(state: RunState, { asked }: CallStory): string | undefined {
  return state.spans.get(asked.spanId)?.facts.asks?.[asked.index]?.id
}

/** The input a model asked for. */
export function requestOf({ asked }: CallStory, source: ContentSource, state: RunState): unknown {
  const node = nodeOf(asked.spanId, source, state)
  return node === undefined ? undefined : requestsIn(node)[asked.index]?.input
}

/** The result that the next request holds. */
export function resultOf({ told }: CallStory, source: ContentSource, state: RunState): ToolResult | undefined {
  const node = told === undefined ? undefined : nodeOf(told.spanId, source, state)
  return node === undefined || told === undefined ? undefined : resultsIn(node)[told.index]
}

function nodeOf(spanId: string, source: ContentSource, state: RunState): MappedNode | undefined {
  const record = state.spans.get(spanId)
  if (record === undefined || !isShown(state, outermost(state, record))) return undefined
  for (const ours of [true, false]) {
    const mapped = source.content(spanId, ours)?.mapped
    if (mapped?.role === 'node' && (requestsIn(mapped).length > 0 || resultsIn(mapped).length > 0)) return mapped
  }
  return undefined
}
