import type { TokenUsage } from '../../primitives.ts'
import type { InstancePicture, RunPicture } from '../picture.ts'

const PARTS = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens', 'costUsd'] as const

/**
 * The run's tokens: the sum over its model calls, each once. Where no model call reports any, what the outermost reporting instances
 * (agents, chains) say of themselves. Undefined when nothing was reported; a part nobody reported is absent.
 */
export function runUsage(run: RunPicture): TokenUsage | undefined {
  const reporting = [...run.instances.values()].filter((instance) => instance.usage !== undefined)
  const calls = reporting.filter((instance) => instance.kind === 'llm')
  return sumUsage(calls.length > 0 ? calls : reporting.filter((instance) => !insideReporting(run, instance)))
}

function insideReporting(run: RunPicture, instance: InstancePicture): boolean {
  const seen = new Set([instance.id])
  for (let id = instance.parentInstanceId; id !== undefined && !seen.has(id); ) {
    const parent = run.instances.get(id)
    if (parent?.usage !== undefined) return true
    seen.add(id)
    id = parent?.parentInstanceId
  }
  return false
}

export function sumUsage(instances: Iterable<InstancePicture>): TokenUsage | undefined {
  const sum = new UsageSum()
  for (const { usage } of instances) sum.add(usage)
  return sum.sum()
}

/** Adds up what calls used, part by part. */
export class UsageSum {
  #sum: TokenUsage | undefined
  #inclusive = true

  add(usage: TokenUsage | undefined): void {
    if (usage === undefined) return
    this.#sum ??= { inputTokens: 0, outputTokens: 0 }
    const sum = this.#sum
    sum.inputTokens += usage.inputTokens
    sum.outputTokens += usage.outputTokens
    for (const part of PARTS) if (usage[part] !== undefined) sum[part] = (sum[part] ?? 0) + usage[part]
    this.#inclusive &&= usage.inclusive === true
  }

  /** Undefined when nobody reported any; a part nobody reported is absent. */
  sum(): TokenUsage | undefined {
    return this.#sum && { ...this.#sum, ...(this.#inclusive && { inclusive: true }) }
  }
}
