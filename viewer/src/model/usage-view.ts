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

/** Tokens, reported and estimated cost of the run's model calls by model, the one with most tokens first. */
export function usageByModel(picture: RunPicture, estimate: Estimator = () => undefined): readonly ModelUse[] {
  const byModel = new Map<string | undefined, ModelUse>()
  for (const call of modelCalls(picture))
    byModel.set(call.model, withCall(byModel.get(call.model) ?? unused(call.model), call, estimate(call)))
  const tokens = ({ inputTokens = 0, outputTokens = 0 }: ModelUse) => inputTokens + outputTokens
  return [...byModel.values()].sort((one, other) => tokens(other) - tokens(one))
}

function unused(model: string | undefined): ModelUse {
  const unknown = { inputTokens: undefined, outputTokens: undefined, cachedTokens: undefined, costUsd: undefined, estimatedUsd: undefined }
  return { model, calls: 0, withTokens: 0, withCost: 0, withEstimate: 0, ...unknown }
}

function withCall(sum: ModelUse, { usage }: InstancePicture, estimatedUsd: number | undefined): ModelUse {
  const add = (one: number | undefined, other: number | undefined) => (other === undefined ? one : (one ?? 0) + other)
  return {
    model: sum.model,
    calls: sum.calls + 1,
    withTokens: sum.withTokens + (usage === undefined ? 0 : 1),
    withCost: sum.withCost + (usage?.costUsd === undefined ? 0 : 1),
    inputTokens: add(sum.inputTokens, usage?.inputTokens),
    outputTokens: add(sum.outputTokens, usage?.outputTokens),
    cachedTokens: add(sum.cachedTokens, usage?.cacheReadTokens),
    costUsd: add(sum.costUsd, usage?.costUsd),
    withEstimate: sum.withEstimate + (estimatedUsd === undefined ? 0 : 1),
    estimatedUsd: add(sum.estimatedUsd, estimatedUsd),
  }
}

/** How much a model call was given to read. */
export interface ContextPoint {
  readonly instanceId: string
  readonly name: string
  readonly tokens: number
}

/** The context of each model call that reported it, in the order in which they began. */
export function contextOfCalls(picture: RunPicture): readonly ContextPoint[] {
  return modelCalls(picture)
    .flatMap(({ id, name, startedAt, usage }) =>
      usage === undefined ? [] : [{ instanceId: id, name, startedAt, tokens: usage.inputTokens }],
    )
    .sort((one, other) => one.startedAt - other.startedAt)
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

function modelCalls(picture: RunPicture): readonly InstancePicture[] {
  return [...picture.instances.values()].filter(({ kind }) => kind === 'llm')
}
