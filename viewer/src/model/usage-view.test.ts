import type { InstancePicture } from '@graphmind-ai/schema'
import { expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { columnsOf, contextOfCalls, usageByModel } from './usage-view.ts'

const { picture } = runFromText(`
  agent planner 0-900  in:9999 out:9
    llm draft   10-90   in:100 out:10
    llm review  300-400 in:700 out:20
    llm draft   100-200 in:300 out:10
    llm silent  500-600
`)

it('tells the context of each model call that reported it, as they began', () => {
  expect(contextOfCalls(picture).map(({ instanceId, tokens }) => [instanceId, tokens])).toEqual([
    ['draft1', 100],
    ['draft2', 300],
    ['review1', 700],
  ])
})

it('sums tokens by model, and leaves what nobody reported unknown', () => {
  const change = (id: string, news: Partial<InstancePicture>): [string, InstancePicture] => {
    const instance = picture.instances.get(id)
    if (instance === undefined) throw new Error(id)
    return [id, { ...instance, ...news }]
  }
  const instances = new Map([
    ...picture.instances,
    change('draft1', { model: 'small', usage: { inputTokens: 100, outputTokens: 10, costUsd: 0 } }),
    change('draft2', { model: 'small' }),
    change('review1', { model: 'large', usage: { inputTokens: 700, outputTokens: 20, cacheReadTokens: 50 } }),
  ])
  const notEstimated = { withEstimate: 0, estimatedUsd: undefined }
  expect(usageByModel({ ...picture, instances })).toEqual([
    {
      model: 'large',
      calls: 1,
      withTokens: 1,
      withCost: 0,
      inputTokens: 700,
      outputTokens: 20,
      cachedTokens: 50,
      costUsd: undefined,
      ...notEstimated,
    },
    {
      model: 'small',
      calls: 2,
      withTokens: 2,
      withCost: 1,
      inputTokens: 400,
      outputTokens: 20,
      cachedTokens: undefined,
      costUsd: 0,
      ...notEstimated,
    },
    {
      ...{ model: undefined, calls: 1, withTokens: 0, withCost: 0 },
      ...{ inputTokens: undefined, outputTokens: undefined, cachedTokens: undefined, costUsd: undefined, ...notEstimated },
    },
  ])
})

it('draws many calls in few columns without losing the largest', () => {
  const points = Array.from({ length: 1000 }, (_, at) => ({ instanceId: `${at}`, name: 'draft', tokens: at === 333 ? 9000 : at }))
  const columns = columnsOf(points, 60)
  expect(columns).toHaveLength(60)
  expect(Math.max(...columns.map(({ tokens }) => tokens))).toBe(9000)
  expect(columnsOf(points.slice(0, 5), 60)).toHaveLength(5)
})
