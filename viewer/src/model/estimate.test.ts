import type { InstancePicture } from '@graphmind-ai/schema'
import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, it, vi } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { estimatorOf, PRICE_TABLE } from './estimate.ts'
import { usageByModel } from './usage-view.ts'

const { picture } = runFromText('llm draft 0-100 in:1000 out:100')
const [plain] = picture.instances.values()
if (plain === undefined) throw new Error('one call was drawn')
const call = (change: Partial<InstancePicture>): InstancePicture => ({ ...plain, model: 'gpt-4o-mini', provider: 'openai.chat', ...change })
const usage = { inputTokens: 1000, outputTokens: 100 }
const estimate = estimatorOf(calcPrice)

it('names the version of the table that is installed', async () => {
  // A name that the compiler does not follow: the file is not a part of the viewer.
  const manifest = '../../package.json'
  const { devDependencies }: { devDependencies: Record<string, string> } = await import(manifest)
  expect(devDependencies[PRICE_TABLE.name]).toBe(PRICE_TABLE.version)
})

describe('the estimate of a call', () => {
  it('is by the price of its model at its provider', () => {
    // $0.15 and $0.60 a million.
    expect(estimate(call({ usage }))).toBeCloseTo(0.00021, 8)
  })

  it.each([
    ['of a model that the table does not know', { model: 'trip-planner-1', usage }],
    ['of a provider that the table does not know, whatever its model is called', { provider: 'my-own-server', usage }],
    ['without a model', { usage, model: undefined }],
    ['without tokens', { usage: undefined }],
    ['that reported a cost', { usage: { ...usage, costUsd: 0 } }],
    ['whose counts contradict each other', { usage: { ...usage, cacheReadTokens: 2000, inclusive: true } }],
    ['that does not say whether cached tokens are in its input', { usage: { ...usage, cacheReadTokens: 500 } }],
    ['that is no model call', { kind: 'tool' as const, usage }],
  ])('is absent for one %s', (_what, change) => {
    expect(estimate(call(change as Partial<InstancePicture>))).toBeUndefined()
  })

  it('takes cached tokens for what they cost when they are told apart', () => {
    const cached = estimate(call({ usage: { ...usage, cacheReadTokens: 800, inclusive: true } }))
    expect(cached).toBeLessThan(0.00021)
    expect(cached).toBeGreaterThan(0)
  })

  it('asks the table once for a model that it does not know', () => {
    const calculate = vi.fn((_usage: unknown, model: string) => (model === 'own' ? null : { total_price: 1 }))
    const estimateOnce = estimatorOf(calculate)
    expect(['own', 'own', 'known', 'own'].map((model) => estimateOnce(call({ usage, model })))).toEqual([
      undefined,
      undefined,
      1,
      undefined,
    ])
    expect(calculate).toHaveBeenCalledTimes(2)
  })

  it('is reckoned once for a call, and anew when it changed', () => {
    const calculate = vi.fn(() => ({ total_price: 1 }))
    const once = estimatorOf(calculate)
    const one = call({ usage })
    once(one)
    once(one)
    once(call({ usage }))
    expect(calculate).toHaveBeenCalledTimes(2)
  })
})

it('keeps what is estimated apart from what was reported', () => {
  const calls = [
    call({ id: 'a', usage: { ...usage, costUsd: 0.5 } }),
    call({ id: 'b', usage }),
    call({ id: 'c', usage: { ...usage, cacheReadTokens: 1 } }),
  ]
  const [use] = usageByModel({ ...picture, instances: new Map(calls.map((each) => [each.id, each])) }, estimate)
  expect(use).toMatchObject({ calls: 3, withCost: 1, costUsd: 0.5, withEstimate: 1, estimatedUsd: expect.closeTo(0.00021, 8) })
})
