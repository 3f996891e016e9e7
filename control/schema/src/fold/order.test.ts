import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draw, facts, ids, start } from '../test-support/drawn-run.ts'
import { normalised } from '../test-support/normalised.ts'
import { event, fold, type StoryEvent } from '../test-support/story.ts'

const stamped = (story: readonly StoryEvent[]): StoryEvent[] => story.map((one, place) => ({ ...one, ts: 1000 + place * 7 }))

const shuffled = <Item>(items: readonly Item[], keys: readonly number[]): Item[] =>
  items
    .map((item, place) => ({ item, key: keys[place % keys.length] ?? 0, place }))
    .sort((one, other) => one.key - other.key || one.place - other.place)
    .map(({ item }) => item)

/** Draws lists into one, each list in its own order. */
function interleaved(lists: readonly (readonly StoryEvent[])[], picks: readonly number[]): StoryEvent[] {
  const rest = lists.map((list) => [...list])
  const story: StoryEvent[] = []
  for (let turn = 0; rest.some((list) => list.length > 0); turn++) {
    const open = rest.filter((list) => list.length > 0)
    const next = open[(picks[turn % picks.length] ?? 0) % open.length]?.shift()
    if (next !== undefined) story.push(next)
  }
  return story
}

const keys = fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 })

describe('the order of events', () => {
  it('does not matter while each sort of event comes once an instance', () => {
    fc.assert(
      fc.property(fc.array(draw, { minLength: 1, maxLength: ids.length }), keys, keys, (drawn, one, other) => {
        const story = stamped(drawn.flatMap((each, place) => facts(ids[place] ?? 'a', each)))
        expect(normalised(fold(...shuffled(story, one)))).toEqual(normalised(fold(...shuffled(story, other))))
      }),
      { numRuns: 2000 },
    )
  })

  it('does not matter between instances when each is also corrected', () => {
    const corrected = fc.tuple(draw, fc.array(draw, { maxLength: 2 }))
    fc.assert(
      fc.property(fc.array(corrected, { minLength: 1, maxLength: ids.length }), keys, keys, (drawn, one, other) => {
        let place = 0
        const lists = drawn.map(([first, corrections], nth) => {
          const instanceId = ids[nth] ?? 'a'
          const story = [...facts(instanceId, first), ...corrections.map((correction) => start(instanceId, correction))]
          return story.map((each) => ({ ...each, ts: 1000 + place++ * 7 }))
        })
        expect(normalised(fold(...interleaved(lists, one)))).toEqual(normalised(fold(...interleaved(lists, other))))
      }),
      { numRuns: 2000 },
    )
  })

  it('does not matter for a finish, tokens and a hold without instance id, while their node runs once', () => {
    const nodeId = 'tool:search'
    const story = stamped([
      event('node.started', { nodeId, kind: 'tool', name: 'search', instanceId: 'a' }),
      event('node.token', { nodeId, deltas: [{ t: 'text', v: 'hi' }] }),
      event('exec.paused', { pauseId: 'p', nodeId, point: 'after' }),
      event('exec.resumed', { pauseId: 'p', nodeId, action: 'inject', injected: { output: 42 } }),
      event('node.finished', { nodeId, durationMs: 5, status: 'ok', output: 41 }),
    ])
    const expected = normalised(fold(...story))
    fc.assert(
      fc.property(keys, (order) => {
        expect(normalised(fold(...shuffled(story, order)))).toEqual(expected)
      }),
    )
  })
})
