import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draw, facts, ids, start } from '../test-support/drawn-run.ts'
import { envelopes, event, finished, foldWithChange, RUN_ID, type StoryEvent, started } from '../test-support/story.ts'
import { emptyRun, foldEnvelope } from './fold.ts'
import type { RunPicture } from './picture.ts'
import { edgesOf } from './select/edges.ts'
import { nodesOf } from './select/nodes.ts'

const changedKeys = (before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key)).sort()

/** Nodes and links counted anew from the instances alone. */
function counted(run: RunPicture): { nodes: Map<string, number>; edges: Map<string, number> } {
  const nodes = new Map<string, number>()
  const edges = new Map<string, number>()
  for (const { nodeId, parentId, parentInstanceId } of run.instances.values()) {
    nodes.set(nodeId, (nodes.get(nodeId) ?? 0) + 1)
    const parent = run.instances.get(parentInstanceId ?? '')?.nodeId ?? parentId
    if (parent !== undefined) edges.set(`${parent} ${nodeId}`, (edges.get(`${parent} ${nodeId}`) ?? 0) + 1)
  }
  return { nodes, edges }
}

const shapeOf = (run: RunPicture): string => {
  const { nodes, edges } = counted(run)
  return JSON.stringify([[...nodes.keys()].sort(), [...edges.keys()].sort()])
}

const placesOf = (instances: RunPicture['instances']): string =>
  JSON.stringify([...instances.values()].map(({ id, parentId, parentInstanceId }) => [id, parentId, parentInstanceId]).sort())

describe('a fold change', () => {
  it('names exactly the pictures that were replaced, and the shape when nodes or links changed', () => {
    const drawnRun = fc.array(fc.tuple(draw, fc.array(draw, { maxLength: 2 })), { minLength: 1, maxLength: ids.length })
    fc.assert(
      fc.property(drawnRun, fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }), (drawn, keys) => {
        const story: StoryEvent[] = drawn.flatMap(([first, corrections], nth) => {
          const id = ids[nth] ?? 'a'
          return [...facts(id, first), ...corrections.map((correction) => start(id, correction))]
        })
        story.sort((one, other) => (keys[story.indexOf(one) % 60] ?? 0) - (keys[story.indexOf(other) % 60] ?? 0))
        const run = emptyRun(RUN_ID)
        for (const envelope of envelopes(story)) {
          const before = { instances: new Map(run.instances), pauses: new Map(run.pauses), shape: shapeOf(run) }
          const change = foldEnvelope(run, envelope)
          expect([...change.instanceIds].sort()).toEqual(changedKeys(before.instances, run.instances))
          if (placesOf(before.instances) !== placesOf(run.instances)) expect(change.places).toBe(true)
          if (envelope.type !== 'node.started') expect(change.places).toBe(false)
          expect([...change.pauseIds].sort()).toEqual(changedKeys(before.pauses, run.pauses))
          if (shapeOf(run) !== before.shape) expect(change.shape).toBe(true)
          if (envelope.type !== 'node.started') expect(change.shape).toBe(false)
        }
        const { nodes, edges } = counted(run)
        expect(new Map(nodesOf(run).map((node) => [node.nodeId, node.instanceIds.length]))).toEqual(nodes)
        const reached = [...edges].filter(([edge]) => nodes.has(edge.split(' ')[0] ?? ''))
        expect(new Map(edgesOf(run).map(({ from, to, count }) => [`${from} ${to}`, count]))).toEqual(new Map(reached))
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves the shape alone when a known node runs once more on a known link', () => {
    const first = [started('a', 'agent:planner'), started('b', 'tool:search', { parentInstanceId: 'a' })]
    expect(foldWithChange(...first).change.shape).toBe(true)
    const { change } = foldWithChange(...first, started('c', 'tool:search', { parentInstanceId: 'a' }))
    expect(change).toEqual({ run: false, instanceIds: ['c'], pauseIds: [], shape: false, places: true })
  })

  it('leaves the shape alone when an instance only ends', () => {
    const { change } = foldWithChange(started('a', 'tool:search'), finished('a', 'tool:search'))
    expect(change).toEqual({ run: false, instanceIds: ['a'], pauseIds: [], shape: false, places: false })
  })

  it('changes the shape with a hint, but not with the same hint again', () => {
    const hint = event('graph.hint', { nodes: [{ nodeId: 'tool:search', kind: 'tool', name: 'search' }] })
    expect(foldWithChange(hint).change.shape).toBe(true)
    expect(foldWithChange(hint, hint).change.shape).toBe(false)
  })

  it('is empty for an event that was folded before, and nothing is counted twice', () => {
    const story = envelopes([
      started('a', 'llm:step'),
      event('node.token', { nodeId: 'llm:step', instanceId: 'a', deltas: [{ t: 'text', v: 'hi' }] }),
    ])
    const run = emptyRun(RUN_ID)
    for (const envelope of [...story, ...story]) foldEnvelope(run, envelope)
    const [again] = story.map((envelope) => foldEnvelope(run, envelope))
    expect(again).toEqual({ run: false, instanceIds: [], pauseIds: [], shape: false, places: false })
    expect(run.instances.get('a')?.stream).toMatchObject({ text: 'hi', chunks: 1 })
  })

  it('is empty for an event of another run', () => {
    const run = emptyRun('another')
    for (const envelope of envelopes([started('a', 'tool:search')])) foldEnvelope(run, envelope)
    expect(run.instances.size).toBe(0)
    expect(run.lastSeq).toBe(-1)
  })
})
