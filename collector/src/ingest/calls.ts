import type { DerivedNode, MappedNode } from '@graphmind-ai/mappings'
import { REDACTED } from '@graphmind-ai/schema'
import { type Ask, requestsIn, resultsIn, type ToolResult } from './call-facts.ts'
import { insideOf } from './inside.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import type { ContentSource } from './span-content.ts'
import { endOf } from './span-facts.ts'
import type { StartOrder } from './start-order.ts'
import { StoryWindows } from './story-windows.ts'
import { isShown, outermost } from './tree.ts'
import { byStart } from './twins.ts'

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
  /** Start of the span that was found to be this use, where it does not say so itself: a later one changes nothing. */
  foundAt?: bigint
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
    const story = { ...known, name: ask.name, asked: { spanId: step.id, index }, ...(told === undefined ? {} : { told }) }
    state.stories.set(id, story)
    noteWindow(state, id, story)
    changed.add(id)
  }
  for (const [id, index] of tellsOf(state, step)) {
    const known = state.results.get(id)
    if (known !== undefined && known.spanId !== step.id && !startsBefore(state, step, known.spanId)) continue
    const told = { spanId: step.id, index }
    // Kept also when the request that asked has not come yet.
    state.results.set(id, told)
    const story = state.stories.get(id)
    if (story !== undefined) {
      story.told = told
      noteWindow(state, id, story)
    }
    changed.add(id)
  }
  return [...changed]
}

/** Stories whose results this call is given. Results without ids belong, in order, to what the call before asked for. */
function tellsOf(state: RunState, step: SpanRecord): readonly (readonly [id: string, index: number])[] {
  const tells = step.facts.tells ?? []
  if (!hasNameless(step)) return tells.map((id, index) => [id, index] as const)
  const before = stepBefore(state, step)
  const asks = before?.facts.asks ?? []
  if (before === undefined || asks.length !== tells.length) return []
  return asks.map((ask, index) => [storyId(before, ask, index), index] as const)
}

/** It was given results that don't say which call they are of. */
export function hasNameless({ facts }: SpanRecord): boolean {
  return facts.tells?.includes('') === true
}

/** Handoffs are tools whose span has a name of its own. */
const HANDOFF = ''

function windowName(tool: string): string {
  return /^(transfer|handoff)/i.test(tool) ? HANDOFF : tool
}

/** A span was found to be this use of a tool. */
export function noteFound(state: RunState, id: string, story: CallStory, { facts }: SpanRecord): void {
  if (facts.toolCallId !== undefined || story.foundAt === facts.startNanos) return
  story.foundAt = facts.startNanos
  noteWindow(state, id, story)
}

function noteWindow(state: RunState, id: string, { name, asked, told, foundAt }: CallStory): void {
  const from = state.spans.get(asked.spanId)?.facts.startNanos
  if (from === undefined) return
  const key = windowName(name)
  const windows = state.windows.get(key) ?? new StoryWindows()
  state.windows.set(key, windows)
  windows.set(id, from, foundAt ?? (told === undefined ? undefined : state.spans.get(told.spanId)?.facts.startNanos))
}

/** The uses of tools that a span of this tool may be, if it does not say which it is. */
export function storiesAt(state: RunState, tool: string, startNanos: bigint): readonly string[] {
  return [tool, HANDOFF].flatMap((key) => [...(state.windows.get(key)?.at(startNanos) ?? [])])
}

function storyId(step: SpanRecord, ask: Ask, index: number): string {
  return ask.id ?? `${step.id}:${index}`
}

/** The model call before this one at the same place. */
function stepBefore(state: RunState, step: SpanRecord): SpanRecord | undefined {
  const inside = step.filedUnder === undefined ? undefined : insideOf(state, step.filedUnder)
  for (const other of inside?.steps.before(step.facts.startNanos) ?? []) if (other.facts.asks !== undefined) return other
  return undefined
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
  if (asked === undefined || told === undefined || !state.hasToolSpans || spanOf(state, id, story, asked, told) !== undefined)
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
  // Of several requests for one tool the first is taken to run first.
  const before = (asked.facts.asks ?? []).slice(0, story.asked.index).filter(({ name }) => name === story.name).length
  const names = windowName(story.name) === HANDOFF ? [...state.toolSpans.keys()] : [story.name]
  const fitting = names.flatMap((name) => firstWithin(state.toolSpans.get(name), from, until, before + 1))
  return fitting.sort(byStart)[before]
}

function firstWithin(spans: StartOrder | undefined, from: bigint, until: bigint | undefined, count: number): readonly SpanRecord[] {
  const found: SpanRecord[] = []
  for (const span of spans?.from(from) ?? []) {
    if (until !== undefined && span.facts.startNanos > until) break
    found.push(span)
    if (found.length === count) break
  }
  return found
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

/** The input a model asked for, or the word for a hidden one. */
export function requestOf({ asked }: CallStory, source: ContentSource, state: RunState): unknown {
  if (state.hidden.includes('hideToolArgs')) return REDACTED
  const node = nodeOf(asked.spanId, source, state)
  return node === undefined ? undefined : requestsIn(node)[asked.index]?.input
}

/** The result that the next request holds, with the word for a hidden one in place of what it says. */
export function resultOf({ told }: CallStory, source: ContentSource, state: RunState): ToolResult | undefined {
  const node = told === undefined ? undefined : nodeOf(told.spanId, source, state)
  const result = node === undefined || told === undefined ? undefined : resultsIn(node)[told.index]
  return result !== undefined && state.hidden.includes('hideToolResults') ? { ...result, output: REDACTED } : result
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
