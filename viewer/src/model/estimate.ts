import type { InstancePicture } from '@graphmind-ai/schema'

/** Where estimated prices are from: the package that holds them, and the day on which that version came out. */
export const PRICE_TABLE = { name: '@pydantic/genai-prices', version: '0.1.8', date: '2026-09-23' } as const
export const PRICE_SOURCE = `${PRICE_TABLE.name} ${PRICE_TABLE.version} of ${PRICE_TABLE.date}`

/** The table's own reckoning: null for a model or provider that it doesn't know; it throws at usage that contradicts itself. */
export type CalculatePrice = (
  usage: Readonly<Record<string, number | undefined>>,
  model: string,
  options: { readonly providerId?: string; readonly timestamp: Date },
) => { readonly total_price: number } | null

/** US dollars of a model call that reported none; undefined where nothing can be said. */
export type Estimator = (call: InstancePicture) => number | undefined

/** Reckons each call once, as long as nothing of it changes. */
export function estimatorOf(table: CalculatePrice): Estimator {
  const calculate = rememberUnknown(table)
  const known = new WeakMap<InstancePicture, number | undefined>()
  return (call) => {
    if (!known.has(call)) known.set(call, estimate(calculate, call))
    return known.get(call)
  }
}

/** The table tries all it has for a model that it does not know, and a long run asks for the same one each time. */
function rememberUnknown(calculate: CalculatePrice): CalculatePrice {
  const unknown = new Set<string>()
  return (usage, model, options) => {
    const key = JSON.stringify([options.providerId, model])
    if (unknown.has(key)) return null
    const price = calculate(usage, model, options)
    if (price === null) unknown.add(key)
    return price
  }
}

function estimate(calculate: CalculatePrice, { kind, model, provider, usage, startedAt }: InstancePicture): number | undefined {
  if (kind !== 'llm' || model === undefined || usage === undefined || usage.costUsd !== undefined) return undefined
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, inclusive } = usage
  // Whether the input has them in it makes a large difference, and then only the program knows.
  if (inclusive !== true && ((cacheReadTokens ?? 0) > 0 || (cacheWriteTokens ?? 0) > 0)) return undefined
  const tokens = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
  }
  try {
    const options = { ...(provider === undefined ? {} : { providerId: provider }), timestamp: new Date(startedAt) }
    return calculate(tokens, model, options)?.total_price
  } catch {
    // Counts that contradict each other have no price.
    return undefined
  }
}
