type Part = Readonly<Record<string, unknown>>

/**
 * The parts of an answer that a person typed, in the shape of the AI SDK's newest models: from a text, from `{text, toolCalls}` as the
 * debugger shows answers, or from content as it is.
 */
export function answerParts(output: unknown): readonly Part[] {
  if (typeof output === 'string') return [{ type: 'text', text: output }]
  if (Array.isArray(output) && output.every(isContent)) return output
  if (!isPart(output)) return [{ type: 'text', text: JSON.stringify(output) ?? '' }]
  const { content, text, toolCalls } = output
  if (Array.isArray(content) && content.every(isContent)) return content
  if (typeof text !== 'string' && !Array.isArray(toolCalls)) return [{ type: 'text', text: JSON.stringify(output) }]
  return [
    ...(typeof text === 'string' ? [{ type: 'text', text }] : []),
    ...(Array.isArray(toolCalls) ? toolCalls.filter(isPart).map(toolCallPart) : []),
  ]
}

function toolCallPart(call: Part, index: number): Part {
  const { id, name, input } = call
  return {
    type: 'tool-call',
    toolCallId: typeof id === 'string' ? id : `injected-${index + 1}`,
    toolName: String(name),
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
  }
}

/** A model's content as the debugger shows answers. */
export function shownAnswer(content: readonly unknown[]): unknown {
  const parts = content.filter(isPart)
  const text = parts.flatMap((part) => (part['type'] === 'text' ? [part['text']] : [])).join('')
  const toolCalls = parts.flatMap((part) =>
    part['type'] === 'tool-call' ? [{ id: part['toolCallId'], name: part['toolName'], input: part['input'] }] : [],
  )
  return { ...(text === '' ? {} : { text }), ...(toolCalls.length === 0 ? {} : { toolCalls }) }
}

/** The generation of a model's interface: 1 in AI SDK 4, 2 in 5, 3 in 6, 4 in 7. */
export type ModelVersion = 1 | 2 | 3 | 4

/** What `doGenerate` of a model resolves to when a person answered in its place. */
export function generated(output: unknown, version: ModelVersion, modelId: unknown): Part {
  const content = answerParts(output)
  const response = { id: 'injected', timestamp: new Date(), modelId: String(modelId ?? 'injected') }
  const end = { finishReason: finishReason(content, version), usage: NO_USAGE[version], warnings: [], response }
  if (version > 1) return { content, ...end }
  const text = content.flatMap((part) => (part['type'] === 'text' ? [part['text']] : [])).join('')
  const toolCalls = content.filter((part) => part['type'] === 'tool-call').map(oldToolCall)
  return { text, toolCalls, ...end, rawCall: { rawPrompt: undefined, rawSettings: {} } }
}

/** What `doStream` of a model resolves to when a person answered in its place. */
export function streamed(output: unknown, version: ModelVersion): Part {
  const content = answerParts(output)
  const end = { type: 'finish', finishReason: finishReason(content, version), usage: NO_USAGE[version] }
  if (version === 1) {
    const parts = [...content.flatMap(oldStreamPart), end]
    return { stream: ReadableStream.from(parts), rawCall: { rawPrompt: undefined, rawSettings: {} } }
  }
  return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...content.flatMap(streamParts), end]) }
}

function streamParts(part: Part, index: number): readonly Part[] {
  if (part['type'] !== 'text' && part['type'] !== 'reasoning') return [part]
  const id = String(index)
  return [
    { type: `${part['type']}-start`, id },
    { type: `${part['type']}-delta`, id, delta: part['text'] },
    { type: `${part['type']}-end`, id },
  ]
}

function oldStreamPart(part: Part): readonly Part[] {
  if (part['type'] === 'text') return [{ type: 'text-delta', textDelta: part['text'] }]
  return part['type'] === 'tool-call' ? [{ type: 'tool-call', ...oldToolCall(part) }] : []
}

function oldToolCall({ toolCallId, toolName, input }: Part): Part {
  return { toolCallType: 'function', toolCallId, toolName, args: input }
}

function finishReason(content: readonly Part[], version: ModelVersion): unknown {
  const unified = content.some((part) => part['type'] === 'tool-call') ? 'tool-calls' : 'stop'
  return version < 3 ? unified : { unified, raw: undefined }
}

// A made-up answer cost nothing, and says so by saying nothing where the version lets it.
const NESTED_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
const NO_USAGE: Readonly<Record<ModelVersion, Part>> = {
  1: { promptTokens: 0, completionTokens: 0 },
  2: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
  3: NESTED_USAGE,
  4: NESTED_USAGE,
}

function isContent(value: unknown): value is Part {
  return isPart(value) && typeof value['type'] === 'string'
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
