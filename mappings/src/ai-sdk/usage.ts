import type { TokenUsage } from '@graphmind-ai/schema'
import { asCount, countOf, hasAny, textOf } from '../read/attribute.ts'
import { contentOf } from '../read/content.ts'
import { isRecord } from '../read/is-record.ts'
import { plusParts, tokenUsage } from '../read/usage.ts'
import type { Attributes } from '../span-view.ts'

/** Token usage of a model call, in whichever of its names the AI SDK gives it. */
export function usageOf(attributes: Attributes): TokenUsage | undefined {
  const anthropic = anthropicMetadata(attributes)
  const cacheRead =
    countOf(attributes, 'ai.usage.inputTokenDetails.cacheReadTokens', 'ai.usage.cachedInputTokens') ??
    asCount(providerMetadata(attributes, 'openai')?.['cachedPromptTokens']) ??
    asCount(anthropic?.['cacheReadInputTokens'])
  const cacheWrite = countOf(attributes, 'ai.usage.inputTokenDetails.cacheWriteTokens') ?? asCount(anthropic?.['cacheCreationInputTokens'])
  const input = countOf(attributes, 'ai.usage.promptTokens', 'ai.usage.inputTokens', 'gen_ai.usage.input_tokens')
  return tokenUsage({
    input: leavesOutCached(input, anthropic, attributes) ? plusParts(input, cacheRead, cacheWrite) : input,
    output: countOf(attributes, 'ai.usage.completionTokens', 'ai.usage.outputTokens', 'gen_ai.usage.output_tokens'),
    total: countOf(attributes, 'ai.usage.totalTokens'),
    cacheRead,
    cacheWrite,
    reasoning: countOf(attributes, 'ai.usage.outputTokenDetails.reasoningTokens', 'ai.usage.reasoningTokens'),
  })
}

/** Anthropic's provider counted cached tokens apart until AI SDK 5; newer ones say the raw count beside the whole one. */
function leavesOutCached(input: number | undefined, anthropic: Record<string, unknown> | undefined, attributes: Attributes): boolean {
  if (anthropic === undefined || hasAny(attributes, 'ai.usage.inputTokenDetails.noCacheTokens')) return false
  const raw = anthropic['usage']
  return isRecord(raw) ? asCount(raw['input_tokens']) === input : true
}

/** AI SDK 5 writes only the last step's tokens on the outer span, which is no sum of anything. */
export function rootUsage(attributes: Attributes): TokenUsage | undefined {
  const lastStepOnly = hasAny(attributes, 'ai.usage.promptTokens') && textOf(attributes, 'ai.request.headers.user-agent')?.includes('ai/5.')
  return lastStepOnly ? undefined : usageOf(attributes)
}

function anthropicMetadata(attributes: Attributes): Record<string, unknown> | undefined {
  return providerOf(attributes) === 'anthropic' ? providerMetadata(attributes, 'anthropic') : undefined
}

function providerMetadata(attributes: Attributes, provider: string): Record<string, unknown> | undefined {
  const all = contentOf(attributes, 'ai.response.providerMetadata')
  const own = isRecord(all) ? all[provider] : undefined
  return isRecord(own) ? own : undefined
}

/** The provider without its API: `openai.chat` is openai. */
export function providerOf(attributes: Attributes): string | undefined {
  return textOf(attributes, 'ai.model.provider', 'gen_ai.system')?.split('.', 1)[0]
}
