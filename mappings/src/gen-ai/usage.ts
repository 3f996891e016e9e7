import type { TokenUsage } from '@graphmind-ai/schema'
import { countOf, numberOf } from '../read/attribute.ts'
import { type TokenCounts, tokenUsage } from '../read/usage.ts'
import type { Attributes } from '../span-view.ts'

/** Token counts under every name the GenAI conventions had. */
export function genAiCounts(attributes: Attributes): TokenCounts {
  return {
    input: countOf(attributes, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'),
    output: countOf(attributes, 'gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'),
    total: countOf(attributes, 'gen_ai.usage.total_tokens', 'llm.usage.total_tokens'),
    cacheRead: countOf(
      attributes,
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'gen_ai.usage.input_tokens.cached',
      'gen_ai.usage.cached_tokens',
    ),
    cacheWrite: countOf(
      attributes,
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_write.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      'gen_ai.usage.cache_write_input_tokens',
      'gen_ai.usage.input_tokens.cache_write',
    ),
    reasoning: countOf(
      attributes,
      'gen_ai.usage.reasoning.output_tokens',
      'gen_ai.usage.output_tokens.reasoning',
      'gen_ai.usage.reasoning_tokens',
      'gen_ai.usage.details.reasoning_tokens',
      'ai.usage.outputTokenDetails.reasoningTokens',
    ),
    costUsd: numberOf(attributes, 'gen_ai.usage.cost', 'operation.cost'),
  }
}

/** Token usage of a span in the GenAI conventions; input includes what was cached there. */
export function genAiUsage(attributes: Attributes): TokenUsage | undefined {
  return tokenUsage(genAiCounts(attributes))
}
