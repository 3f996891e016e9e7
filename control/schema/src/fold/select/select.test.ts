import { describe, expect, it } from 'vitest'
import { event, finished, fold, started } from '../../test-support/story.ts'
import { edgesOf } from './edges.ts'
import { nodesOf } from './nodes.ts'
import { childrenOf, rootInstances } from './tree.ts'
import { runUsage } from './usage.ts'

const usage = { inputTokens: 10, outputTokens: 4 }

describe('the nodes of a run', () => {
  it('count their instances by state and sum what has ended', () => {
    const run = fold(
      started('late', 'tool:search', {}, 5000),
      started('a', 'tool:search', {}, 2000),
      started('b', 'tool:search', { ungated: 'sync function' }, 9000),
      finished('a', 'tool:search', { durationMs: 1.5, status: 'error' }),
      finished('late', 'tool:search', { durationMs: 2, usage }),
      event('exec.paused', { pauseId: 'p', nodeId: 'tool:search', instanceId: 'b', point: 'before' }),
    )
    expect(nodesOf(run)).toEqual([
      {
        nodeId: 'tool:search',
        kind: 'tool',
        name: 'search',
        instanceIds: ['a', 'late', 'b'],
        firstSeq: 0,
        running: 0,
        paused: 1,
        errors: 1,
        aborted: 0,
        durationMs: 3.5,
        lastDurationMs: 2,
        usage,
        ungated: 'sync function',
      },
    ])
  })

  it('vanish with their last instance', () => {
    const run = fold(started('a', 'custom:span'), started('a', 'tool:search'))
    expect(nodesOf(run).map((node) => node.nodeId)).toEqual(['tool:search'])
  })

  it('keep their identity while nothing about them changes', () => {
    const run = fold(started('a', 'tool:search'), started('b', 'llm:step'))
    expect(nodesOf(run)[0]).toBe(nodesOf(run)[0])
  })

  it('tell nanoseconds apart within one millisecond', () => {
    const run = fold(
      started('second', 'tool:x', { startTimeUnixNano: '1000000000000000900' }, 1000),
      started('first', 'tool:x', { startTimeUnixNano: '1000000000000000100' }, 1000),
    )
    expect(nodesOf(run)[0]?.instanceIds).toEqual(['first', 'second'])
  })
})

describe('the edges of a run', () => {
  it('go from parent’s node to child’s node, counted', () => {
    const run = fold(
      started('p', 'agent:planner'),
      started('a', 'tool:search', { parentInstanceId: 'p' }),
      started('b', 'tool:search', { parentInstanceId: 'p' }),
      started('c', 'agent:planner', { parentInstanceId: 'p' }),
    )
    expect(edgesOf(run)).toEqual([
      { from: 'agent:planner', to: 'tool:search', count: 2 },
      { from: 'agent:planner', to: 'agent:planner', count: 1 },
    ])
  })

  it('fall back on the parent’s node id while the parent instance is unknown, if that node is there or hinted', () => {
    const child = started('a', 'tool:search', { parentId: 'agent:planner', parentInstanceId: 'p' })
    expect(edgesOf(fold(child))).toEqual([])
    const hint = event('graph.hint', { nodes: [{ nodeId: 'agent:planner', kind: 'agent', name: 'planner' }] })
    expect(edgesOf(fold(child, hint))).toEqual([{ from: 'agent:planner', to: 'tool:search', count: 1 }])
    expect(edgesOf(fold(child, started('p', 'chain:real')))).toEqual([{ from: 'chain:real', to: 'tool:search', count: 1 }])
  })

  it('follow a parent that turns out to be another node', () => {
    const run = fold(started('p', 'custom:span'), started('a', 'tool:search', { parentInstanceId: 'p' }), started('p', 'agent:planner'))
    expect(edgesOf(run)).toEqual([{ from: 'agent:planner', to: 'tool:search', count: 1 }])
  })
})

describe('the tree of a run', () => {
  it('lists roots and children in start order, orphans among the roots', () => {
    const run = fold(
      started('b', 'tool:x', { parentInstanceId: 'p' }, 30),
      started('a', 'tool:x', { parentInstanceId: 'p' }, 20),
      started('orphan', 'tool:x', { parentInstanceId: 'never came' }, 40),
      started('p', 'agent:planner', {}, 10),
    )
    expect(rootInstances(run)).toEqual(['p', 'orphan'])
    expect(childrenOf(run, 'p')).toEqual(['a', 'b'])
    expect(childrenOf(run, 'a')).toEqual([])
  })

  it('hangs a child that knows only its parent’s node on that node’s latest instance before it', () => {
    const run = fold(
      started('p1', 'agent:planner', {}, 10),
      started('a', 'tool:x', { parentId: 'agent:planner' }, 20),
      started('p2', 'agent:planner', {}, 30),
      started('b', 'tool:x', { parentId: 'agent:planner' }, 40),
    )
    expect(childrenOf(run, 'p1')).toEqual(['a'])
    expect(childrenOf(run, 'p2')).toEqual(['b'])
  })

  it('breaks a circle of parents at the one that started first, and keeps what hangs on it', () => {
    const run = fold(
      started('tail', 'tool:x', { parentInstanceId: 'b' }, 10),
      started('a', 'tool:x', { parentInstanceId: 'b' }, 20),
      started('b', 'tool:x', { parentInstanceId: 'a' }, 30),
      started('self', 'tool:x', { parentInstanceId: 'self' }, 40),
    )
    expect(rootInstances(run)).toEqual(['a', 'self'])
    expect(childrenOf(run, 'a')).toEqual(['b'])
    expect(childrenOf(run, 'b')).toEqual(['tail'])
  })
})

describe('the usage of a run', () => {
  it('sums each model call once and leaves wrappers out', () => {
    const run = fold(
      started('p', 'agent:planner'),
      started('a', 'llm:step', { parentInstanceId: 'p' }),
      started('b', 'llm:step', { parentInstanceId: 'p' }),
      finished('a', 'llm:step', { usage: { ...usage, inclusive: true, cacheReadTokens: 3, costUsd: 0.5 } }),
      finished('a', 'llm:step', { usage: { ...usage, inclusive: true, cacheReadTokens: 3, costUsd: 0.5 } }),
      finished('b', 'llm:step', { usage: { ...usage, inclusive: true, reasoningTokens: 1, costUsd: 0 } }),
      finished('p', 'agent:planner', { usage: { inputTokens: 20, outputTokens: 8 } }),
    )
    expect(runUsage(run)).toEqual({
      inputTokens: 20,
      outputTokens: 8,
      inclusive: true,
      cacheReadTokens: 3,
      reasoningTokens: 1,
      costUsd: 0.5,
    })
  })

  it('is what the outermost agent says when no model call says anything, and absent when nobody does', () => {
    const run = fold(
      started('p', 'agent:planner'),
      started('q', 'agent:helper', { parentInstanceId: 'p' }),
      started('a', 'llm:step', { parentInstanceId: 'q' }),
      finished('q', 'agent:helper', { usage }),
      finished('p', 'agent:planner', { usage: { inputTokens: 75, outputTokens: 25 } }),
    )
    expect(runUsage(run)).toEqual({ inputTokens: 75, outputTokens: 25 })
    expect(runUsage(fold(started('a', 'llm:step')))).toBeUndefined()
  })
})
