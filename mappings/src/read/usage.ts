import type { TokenUsage } from '@graphmind-ai/schema'
import { defined } from './defined.ts'

/** Counts as a span tells them; input includes cached tokens and output includes reasoning. */
export interface TokenCounts {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly total?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly reasoning?: number | undefined
  readonly costUsd?: number | undefined
}

/**
 * Token usage, or undefined when the span counts nothing. A side that only follows from the total is derived; a side nobody told is 0,
 * because the wire wants both.
 */
export function tokenUsage(counts: TokenCounts): TokenUsage | undefined {
  const input = counts.input ?? rest(counts.total, counts.output)
  const output = counts.output ?? rest(counts.total, counts.input)
  if (input === undefined && output === undefined && counts.costUsd === undefined) return undefined
  return defined({
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    inclusive: true,
    cacheReadTokens: counts.cacheRead,
    cacheWriteTokens: counts.cacheWrite,
    reasoningTokens: counts.reasoning,
    costUsd: counts.costUsd,
  })
}

/** Adds the parts that some senders leave out of a side; undefined when the side itself is not known. */
export function plusParts(side: number | undefined, ...parts: readonly (number | undefined)[]): number | undefined {
  return side === undefined ? undefined : parts.reduce<number>((sum, part) => sum + (part ?? 0), side)
}

function rest(total: number | undefined, side: number | undefined): number | undefined {
  return total === undefined || side === undefined || total < side ? undefined : total - side
}
