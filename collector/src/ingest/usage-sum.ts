import type { TokenUsage } from '@graphmind-ai/schema'

const PARTS = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens', 'costUsd'] as const

/** Token usage summed up, from which what was added can be taken again. */
export class UsageSum {
  readonly #counted = { reports: 0, inclusive: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, costUsd: 0 }
  readonly #sums = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, costUsd: 0 }
  /** Money is a fraction: taking it away again leaves noise, which has to be cleared up before the next reading. */
  #isNoisy = false

  add(usage: TokenUsage): void {
    this.#change(usage, 1)
  }

  take(usage: TokenUsage): void {
    this.#change(usage, -1)
    if (usage.costUsd !== undefined) this.#isNoisy = true
  }

  /** Undefined when nothing was reported; a part that nobody reported is absent. `reported` is all that counts now. */
  total(reported: () => Iterable<TokenUsage>): TokenUsage | undefined {
    if (this.#counted.reports === 0) return undefined
    if (this.#isNoisy) {
      this.#sums.costUsd = 0
      for (const { costUsd = 0 } of reported()) this.#sums.costUsd += costUsd
      this.#isNoisy = false
    }
    const { inputTokens, outputTokens } = this.#sums
    const total: TokenUsage = { inputTokens, outputTokens }
    for (const part of PARTS) if (this.#counted[part] > 0) total[part] = this.#sums[part]
    if (this.#counted.inclusive === this.#counted.reports) total.inclusive = true
    return total
  }

  #change(usage: TokenUsage, by: 1 | -1): void {
    this.#counted.reports += by
    if (usage.inclusive === true) this.#counted.inclusive += by
    this.#sums.inputTokens += by * usage.inputTokens
    this.#sums.outputTokens += by * usage.outputTokens
    for (const part of PARTS) {
      const count = usage[part]
      if (count === undefined) continue
      this.#counted[part] += by
      this.#sums[part] += by * count
    }
  }
}
