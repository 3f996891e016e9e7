import { asCount } from './attribute.ts'
import { defined } from './defined.ts'
import { isRecord } from './is-record.ts'
import { type MessageParts, messagePartsOf, writeMessage } from './message.ts'
import { firstPresent, firstText } from './tool-call.ts'
import { plusParts, type TokenCounts } from './usage.ts'

/** A request body of a model provider, read whoever the provider is. */
export interface ProviderRequest {
  readonly messages?: readonly MessageParts[]
  readonly system?: unknown
  readonly tools?: readonly unknown[]
}

/** A response body of a model provider. */
export interface ProviderResponse {
  readonly messages: readonly MessageParts[]
  readonly finishReason?: string | undefined
  readonly counts?: TokenCounts | undefined
  readonly model?: string | undefined
  readonly id?: string | undefined
}

/** Messages, system prompt and tools in a body of OpenAI (both APIs), Anthropic, Gemini or LangChain; a list alone is the messages. */
export function providerRequestOf(body: unknown): ProviderRequest {
  const given = isRecord(body) ? firstPresent(body['messages'], body['input'], body['contents']) : body
  const messages = typeof given === 'string' ? [userText(given)] : messagePartsOf(Array.isArray(given) ? given.flat() : given)
  if (!isRecord(body)) return messages === undefined ? {} : { messages }
  const system = firstPresent(body['system'], body['instructions'], body['systemInstruction'])
  const tools = body['tools']
  return {
    ...(messages && { messages }),
    ...(system === undefined ? {} : { system }),
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
  }
}

/** A request as the input of a step; undefined when no messages were found in it. */
export function writeRequest({ system, messages, tools }: ProviderRequest): object | undefined {
  return messages && defined({ system, messages: messages.map(writeMessage), tools })
}

/** The answer in a body of OpenAI (both APIs), Anthropic, Gemini, LangChain, Genkit or LlamaIndex, or in a bare message or text. */
export function providerResponseOf(body: unknown): ProviderResponse | undefined {
  if (typeof body === 'string') return { messages: [assistant([{ type: 'text', text: body }])] }
  if (!isRecord(body)) {
    const messages = messagePartsOf(body)
    return messages && { messages }
  }
  const choice = firstChoice(body)
  const messages = answerMessages(body, choice)
  if (messages === undefined) return undefined
  return {
    messages,
    finishReason: firstText(
      choice?.['finish_reason'],
      choice?.['finishReason'],
      body['stop_reason'],
      body['finishReason'],
      body['finish_reason'],
      generationInfo(choice)?.['finish_reason'],
    ),
    counts: countsIn(firstPresent(body['usage'], body['usageMetadata'], body['usage_metadata'], tokenUsageOf(body))),
    model: firstText(body['model'], body['modelVersion']),
    id: firstText(body['id'], body['responseId']),
  }
}

/** Token counts in a provider's usage object. Anthropic alone leaves cached tokens out of its input. */
export function countsIn(usage: unknown): TokenCounts | undefined {
  if (!isRecord(usage)) return undefined
  const inputDetails = firstPresent(
    usage['prompt_tokens_details'],
    usage['input_tokens_details'],
    usage['input_token_details'],
    usage['inputTokenDetails'],
  )
  const outputDetails = firstPresent(
    usage['completion_tokens_details'],
    usage['output_tokens_details'],
    usage['output_token_details'],
    usage['outputTokenDetails'],
  )
  const anthropicRead = asCount(usage['cache_read_input_tokens'])
  const anthropicWrite = asCount(usage['cache_creation_input_tokens'])
  const input = asCount(
    firstPresent(usage['prompt_tokens'], usage['input_tokens'], usage['inputTokens'], usage['promptTokens'], usage['promptTokenCount']),
  )
  return {
    input: plusParts(input, anthropicRead, anthropicWrite),
    output: asCount(
      firstPresent(
        usage['completion_tokens'],
        usage['output_tokens'],
        usage['outputTokens'],
        usage['completionTokens'],
        usage['candidatesTokenCount'],
      ),
    ),
    total: asCount(firstPresent(usage['total_tokens'], usage['totalTokens'], usage['totalTokenCount'])),
    cacheRead:
      anthropicRead ??
      field(inputDetails, 'cached_tokens', 'cache_read', 'cacheReadTokens') ??
      asCount(firstPresent(usage['cachedContentTokens'], usage['cachedInputTokens'], usage['cachedContentTokenCount'])),
    cacheWrite: anthropicWrite ?? field(inputDetails, 'cache_creation', 'cacheWriteTokens'),
    reasoning:
      field(outputDetails, 'reasoning_tokens', 'reasoning', 'reasoningTokens') ??
      asCount(firstPresent(usage['thoughtsTokens'], usage['reasoningTokens'], usage['thoughtsTokenCount'])),
  }
}

function firstChoice(body: Record<string, unknown>): Record<string, unknown> | undefined {
  const list = [body['choices'], body['candidates'], body['generations']].find(Array.isArray)?.flat()
  return list?.find(isRecord)
}

function answerMessages(body: Record<string, unknown>, choice: Record<string, unknown> | undefined): readonly MessageParts[] | undefined {
  if (choice !== undefined) {
    const message = firstPresent(choice['message'], choice['content'], choice['delta'])
    if (isRecord(message)) return messagePartsOf({ role: 'assistant', ...message })
    const text = firstText(choice['text'])
    return text === undefined ? undefined : [assistant([{ type: 'text', text }])]
  }
  const inner = body['message']
  if (isRecord(inner)) return messagePartsOf({ role: 'assistant', ...inner })
  if (Array.isArray(body['output'])) return messagePartsOf(body['output'])
  if (typeof body['text'] === 'string' || Array.isArray(body['toolCalls'])) {
    return messagePartsOf({ role: 'assistant', content: body['text'] ?? [], toolCalls: body['toolCalls'] })
  }
  return messagePartsOf(body)
}

function generationInfo(choice: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const info = choice?.['generationInfo'] ?? choice?.['generation_info']
  return isRecord(info) ? info : undefined
}

function tokenUsageOf(body: Record<string, unknown>): unknown {
  const output = body['llmOutput'] ?? body['llm_output']
  return isRecord(output) ? firstPresent(output['tokenUsage'], output['token_usage']) : undefined
}

function field(details: unknown, ...keys: string[]): number | undefined {
  return isRecord(details) ? asCount(firstPresent(...keys.map((key) => details[key]))) : undefined
}

const userText = (text: string): MessageParts => ({
  role: 'user',
  name: undefined,
  finishReason: undefined,
  parts: [{ type: 'text', text }],
})
const assistant = (parts: MessageParts['parts']): MessageParts => ({ role: 'assistant', name: undefined, finishReason: undefined, parts })
