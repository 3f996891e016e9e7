import type { InstancePicture, RunPicture } from '@graphmind-ai/schema'
import type { Estimator } from './estimate.ts'

/** What the calls of one model came to. A part that nobody reported is undefined, never zero. */
export interface ModelUse {
  /** Undefined where the call didn't say. */
  readonly model: string | undefined
  readonly calls: number
  /** Of them, those that reported tokens, and those that reported a cost. */
  readonly withTokens: number
  readonly withCost: number
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly cachedTokens: number | undefined
  readonly costUsd: number | undefined
  /** Of calls that reported no cost, those that could be estimated, and what they come to; never a part of the reported cost. */
  readonly withEstimate: number
  readonly estimatedUsd: number | undefined
}

type Sum = { -readonly [Part in keyof ModelUse]: ModelUse[Part] }

/** Tokens, reported and estimated cost of the run's model calls by model, the one with most tokens first. */
export function usageByModel(picture: RunPicture, estimate: Estimator = () => undefined): readonly ModelUse[] {
  const byModel = new Map<string | undefined, Sum>()
  for (const call of picture.instances.values()) {
    if (call.kind !== 'llm') continue
    const known = byModel.get(call.model)
    const sum = known ?? unused(call.model)
    if (known === undefined) byModel.set(call.model, sum)
    addCall(sum, call, estimate(call))
  }
  const tokens = ({ inputTokens = 0, outputTokens = 0 }: ModelUse) => inputTokens + outputTokens
  return [...byModel.values()].sort((one, other) => tokens(other) - tokens(one))
}

function unused(model: string | undefined): Sum {
  const unknown = { inputTokens: undefined, outputTokens: undefined, cachedTokens: undefined, costUsd: undefined, estimatedUsd: undefined }
  return { model, calls: 0, withTokens: 0, withCost: 0, withEstimate: 0, ...unknown }
}

function addCall(sum: Sum, { usage }: InstancePicture, estimatedUsd: number | undefined): void {
  const add = (one: number | undefined, other: number | undefined) => (other === undefined ? one : (one ?? 0) + other)
  sum.calls += 1
  if (usage !== undefined) {
    sum.withTokens += 1
    if (usage.costUsd !== undefined) sum.withCost += 1
    sum.inputTokens = add(sum.inputTokens, usage.inputTokens)
    sum.outputTokens = add(sum.outputTokens, usage.outputTokens)
    sum.cachedTokens = add(sum.cachedTokens, usage.cacheReadTokens)
    sum.costUsd = add(sum.costUsd, usage.costUsd)
  }
  if (estimatedUsd !== undefined) sum.withEstimate += 1
  sum.estimatedUsd = add(sum.estimatedUsd, estimatedUsd)
}

/** How much a model call was given to read. */
export interface ContextPoint {
  readonly instanceId: string
  readonly name: string
  readonly tokens: number
}

/** The context of each model call that reported it, in the order in which they began. */
export function contextOfCalls(picture: RunPicture): readonly ContextPoint[] {
  const points: (ContextPoint & { readonly startedAt: number })[] = []
  for (const { kind, id, name, startedAt, usage } of picture.instances.values())
    if (kind === 'llm' && usage !== undefined) points.push({ instanceId: id, name, startedAt, tokens: usage.inputTokens })
  return points.sort((one, other) => one.startedAt - other.startedAt)
}

/** At most `columns` of the points: of those that share one, the largest. */
export function columnsOf(points: readonly ContextPoint[], columns: number): readonly ContextPoint[] {
  if (points.length <= columns) return points
  const largest: ContextPoint[] = []
  points.forEach((point, at) => {
    const column = Math.floor((at * columns) / points.length)
    const before = largest[column]
    if (before === undefined || point.tokens > before.tokens) largest[column] = point
  })
  return largest
}
