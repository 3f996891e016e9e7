import { asJson, isRecord } from './wrap-tools.ts'

type Options = Readonly<Record<string, unknown>>
type Attributes = Record<string, string | number | string[]>

/** Numbers of a call and their names in the GenAI conventions. */
const PARAMETERS: Readonly<Record<string, string>> = {
  temperature: 'gen_ai.request.temperature',
  maxOutputTokens: 'gen_ai.request.max_tokens',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  presencePenalty: 'gen_ai.request.presence_penalty',
  frequencyPenalty: 'gen_ai.request.frequency_penalty',
  seed: 'gen_ai.request.seed',
}

/** What the span of a model call says at its start. */
export function chatAttributes(model: { readonly modelId: string; readonly provider: string }, options: Options): Attributes {
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': model.provider.split('.')[0] ?? model.provider,
    'gen_ai.request.model': model.modelId,
  }
  for (const [key, name] of Object.entries(PARAMETERS)) {
    const value = options[key]
    if (typeof value === 'number') attributes[name] = value
  }
  const { prompt, tools } = options
  if (Array.isArray(prompt)) {
    const messages = prompt.filter(isRecord)
    const system = messages.filter((message) => message['role'] === 'system')
    if (system.length > 0) attributes['gen_ai.system_instructions'] = asJson(system.flatMap(partsOf))
    attributes['gen_ai.input.messages'] = asJson(
      messages.filter((message) => message['role'] !== 'system').map((message) => ({ role: message['role'], parts: partsOf(message) })),
    )
  }
  if (Array.isArray(tools) && tools.length > 0) attributes['gen_ai.tool.definitions'] = asJson(tools.filter(isRecord).map(definitionOf))
  return attributes
}

/** What the span says of a model's result: `doGenerate`'s, or what was read from a stream. */
export function resultAttributes(result: Options): Attributes {
  const { content, usage, response } = result
  const reason = isRecord(result['finishReason']) ? result['finishReason']['unified'] : result['finishReason']
  const attributes: Attributes = {}
  if (Array.isArray(content)) {
    const parts = content.filter(isRecord).map(partOf)
    attributes['gen_ai.output.messages'] = asJson([{ role: 'assistant', parts, finish_reason: reason }])
  }
  if (typeof reason === 'string') attributes['gen_ai.response.finish_reasons'] = [reason]
  if (isRecord(response)) {
    if (typeof response['id'] === 'string') attributes['gen_ai.response.id'] = response['id']
    if (typeof response['modelId'] === 'string') attributes['gen_ai.response.model'] = response['modelId']
  }
  if (!isRecord(usage)) return attributes
  const { inputTokens: input, outputTokens: output } = usage
  const counts = {
    'gen_ai.usage.input_tokens': isRecord(input) ? input['total'] : input,
    'gen_ai.usage.output_tokens': isRecord(output) ? output['total'] : output,
    'gen_ai.usage.cache_read.input_tokens': isRecord(input) ? input['cacheRead'] : usage['cachedInputTokens'],
  }
  for (const [name, value] of Object.entries(counts)) if (typeof value === 'number') attributes[name] = value
  return attributes
}

function partsOf(message: Options): readonly unknown[] {
  const { content } = message
  if (typeof content === 'string') return [{ type: 'text', content }]
  return Array.isArray(content) ? content.filter(isRecord).map(partOf) : []
}

function partOf(part: Options): unknown {
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      return { type: part['type'], content: part['text'] }
    case 'tool-call':
      return { type: 'tool_call', id: part['toolCallId'], name: part['toolName'], arguments: argumentsOf(part['input']) }
    case 'tool-result':
      return { type: 'tool_call_response', id: part['toolCallId'], response: part['output'] }
    case 'file':
      return { type: 'blob', mime_type: part['mediaType'] }
    default:
      return { type: part['type'] }
  }
}

function argumentsOf(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    const value: unknown = JSON.parse(input)
    return value
  } catch {
    return input // A model may write arguments that are no JSON.
  }
}

function definitionOf({ name, description, inputSchema }: Options): unknown {
  return { type: 'function', name, description, parameters: inputSchema }
}
