import { isVagueFailure } from '@graphmind-ai/mappings'
import { REDACTED } from '@graphmind-ai/schema'
import { isFields } from '../otlp/read-value.ts'
import { callIdOf, requestOf, resultOf } from './calls.ts'
import { insideOf } from './inside.ts'
import type { RunState, SpanRecord } from './run-state.ts'
import { type ContentSource, copiesOf, mergeContents, type NodeContent } from './span-content.ts'
import { outermost, twinsOf } from './tree.ts'

/** The content of an instance with what only other spans know of it. What a span says of itself is never replaced, only filled in. */
export function withBorrowed(state: RunState, keeper: SpanRecord, content: NodeContent, source: ContentSource): NodeContent {
  const { kind } = outermost(state, keeper).facts
  if (kind === 'tool') return withMessages(state, keeper, content, source)
  return kind === 'agent' ? withSteps(state, keeper, content, source) : content
}

/** A tool: its input in the request that asked for it, its result or its error in the request after it. */
function withMessages(state: RunState, keeper: SpanRecord, content: NodeContent, source: ContentSource): NodeContent {
  const member = twinsOf(state, keeper).find((twin) => state.storyOf.has(twin.id))
  const id = member === undefined ? undefined : state.storyOf.get(member.id)
  const story = id === undefined ? undefined : state.stories.get(id)
  if (story === undefined) return content
  const toolCallId = content.toolCallId ?? callIdOf(state, story)
  const input = wholeInput(content.input, () => requestOf(story, source, state))
  const { error, output } = content
  const needsResult = (output === undefined && error === undefined) || (error !== undefined && isVagueFailure(error))
  const result = needsResult ? resultOf(story, source, state) : undefined
  const told = result?.output === REDACTED ? undefined : result?.output
  const said = error !== undefined && typeof told === 'string' ? told.replace(/^Error: /, '') : undefined
  return {
    ...content,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(input === undefined ? {} : { input }),
    ...(error === undefined && result !== undefined ? { output: result.output } : {}),
    ...(error !== undefined && said !== undefined ? { error: { ...error, message: said } } : {}),
  }
}

/** Some instrumentations show of an input with one field only that field's value. */
function wholeInput(input: unknown, request: () => unknown): unknown {
  if (isFields(input)) return input
  const asked = request()
  if (input === undefined || !isFields(asked)) return input ?? asked
  const values = Object.values(asked)
  return values.length === 1 && values[0] === input ? asked : input
}

/** An agent: asked what its first model call was asked last, and answered what its last one answered. */
function withSteps(state: RunState, keeper: SpanRecord, content: NodeContent, source: ContentSource): NodeContent {
  const { noInput, noOutput, final } = outermost(state, keeper).facts
  const wantsInput = noInput === true && content.input === undefined
  const wantsOutput = noOutput === true && final && content.output === undefined && content.error === undefined
  if (!wantsInput && !wantsOutput) return content
  const steps = insideOf(state, keeper.id)?.steps
  const contentOf = (step: SpanRecord | undefined) =>
    step === undefined ? undefined : mergeContents(twinsOf(state, step).flatMap((twin) => copiesOf(source, twin)))
  const input = wantsInput ? questionIn(contentOf(steps?.first)?.input) : undefined
  const output = wantsOutput ? answerIn(contentOf(steps?.last)?.output) : undefined
  return { ...content, ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) }
}

function questionIn(input: unknown): unknown {
  const messages = isFields(input) ? input['messages'] : undefined
  if (!Array.isArray(messages)) return undefined
  return (messages as readonly unknown[]).filter(isFields).findLast((message) => message['role'] === 'user')?.['content']
}

function answerIn(output: unknown): unknown {
  return isFields(output) ? (output['text'] ?? output['object']) : undefined
}
