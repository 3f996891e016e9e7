import { emptyRun, foldEnvelope, parseEnvelope, runHeldMs, runUsage } from '@graphmind-ai/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newTally, sumTally, tallyEvent } from './tally.ts'

const instance = fc.integer({ min: 0, max: 5 })
const usage = fc.record(
  {
    inputTokens: fc.nat(9),
    outputTokens: fc.nat(9),
    inclusive: fc.constant(true),
    cacheReadTokens: fc.nat(3),
    costUsd: fc.constantFrom(0.1, 0.2, 0.7),
  },
  { requiredKeys: ['inputTokens', 'outputTokens'] },
)
const started = fc.record({
  instance,
  kind: fc.constantFrom('agent', 'llm', 'tool', 'custom'),
  name: fc.constantFrom('a', 'b', 'c'),
  parent: fc.option(instance, { nil: null }),
})
const event = fc.oneof(
  started.map(({ instance: id, kind, name, parent }) => ({
    type: 'node.started',
    payload: {
      instanceId: `i${id}`,
      nodeId: `${kind}:${name}`,
      kind,
      name,
      parentInstanceId: parent === null || parent >= id ? null : `i${parent}`,
      aliasOf: null,
    },
  })),
  // What is an alias of another is spoken of no more, until it stands for itself again.
  fc.tuple(fc.constantFrom('twin-1', 'twin-2'), fc.option(instance, { nil: null })).map(([id, other]) => ({
    type: 'node.started',
    payload: { instanceId: id, nodeId: id, kind: 'llm', name: id, cleared: ['*'], aliasOf: other === null ? null : `i${other}` },
  })),
  fc
    .tuple(instance, usage, fc.constantFrom('ok', 'error'), fc.constantFrom(undefined, ['usage'], ['status'], ['error', 'usage']))
    .map(([id, tokens, status, cleared]) => ({
      type: 'node.finished',
      payload: { instanceId: `i${id}`, nodeId: 'x', durationMs: 1, status, ...(cleared === undefined ? { usage: tokens } : { cleared }) },
    })),
  fc.tuple(fc.constantFrom('p', 'q', 'r'), fc.boolean()).map(([pauseId, isHeld]) => ({
    type: isHeld ? 'exec.paused' : 'exec.resumed',
    payload: { pauseId, nodeId: 'tool:held', ...(isHeld ? { point: 'before' } : { action: 'continue' }) },
  })),
  instance.map((id) => ({ type: 'node.error', payload: { instanceId: `i${id}`, nodeId: 'x', error: { name: 'E', message: 'm' } } })),
)

/** A pause is held once and let go once. */
function onlyOnce({ type, payload }: { readonly type: string; readonly payload: object }): unknown {
  return 'pauseId' in payload ? `${type} ${payload.pauseId}` : payload
}

describe('a run’s row', () => {
  it('sums up what the picture shows, however often it was corrected on the way', () => {
    fc.assert(
      fc.property(fc.uniqueArray(event, { maxLength: 30, selector: onlyOnce }), fc.boolean(), (events, ends) => {
        const tally = newTally()
        const run = emptyRun('r')
        for (const [seq, { type, payload }] of events.entries()) {
          const parsed = parseEnvelope({ gm: 1, seq, ts: seq, runId: 'r', type, payload })
          if (parsed.outcome !== 'ok') throw new Error(JSON.stringify(parsed))
          foldEnvelope(run, parsed.envelope)
          tallyEvent(tally, { type, ts: seq, payload })
        }
        const shown = [...run.instances.values()]
        const end = events.length + 10
        if (ends) tallyEvent(tally, { type: 'run.finished', ts: end, payload: { status: 'ok' } })
        const sums = sumTally(tally)
        expect(sums.nodeCount).toBe(new Set(shown.map(({ nodeId }) => nodeId)).size)
        expect(sums.stepCount).toBe(shown.length)
        const { heldMs, since } = sums.held
        if (ends) expect(since).toBe(null)
        if (run.startedAt !== undefined) expect(heldMs + (since === null ? 0 : end - since)).toBe(runHeldMs(run, end))
        expect([...sums.kinds].sort()).toEqual([...new Set(shown.map(({ kind }) => kind))].sort())
        expect([...sums.nodeNames].sort()).toEqual([...new Set(shown.map(({ name }) => name))].sort())
        expect(sums.errorCount).toBe(shown.filter(({ status }) => status === 'error').length)
        const { costUsd, ...tokens } = runUsage(run) ?? {}
        const { costUsd: sum, ...counted } = sums.usage ?? {}
        expect(counted).toEqual(tokens)
        expect([sum !== undefined, sum ?? 0]).toEqual([costUsd !== undefined, expect.closeTo(costUsd ?? 0, 9)])
      }),
      { numRuns: 300 },
    )
  })
})
