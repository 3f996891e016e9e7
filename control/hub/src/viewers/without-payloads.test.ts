import type { Envelope } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { withoutPayloads } from './without-payloads.ts'

const envelope = (type: string, payload: unknown): Envelope => ({ gm: 1, seq: 1, ts: 1, runId: 'r', type, payload })

describe('an event without payloads', () => {
  it.each<[string, unknown, unknown]>([
    [
      'node.started',
      { nodeId: 'n', kind: 'tool', name: 'n', instanceId: 'i', input: { secret: 1 } },
      { nodeId: 'n', kind: 'tool', name: 'n', instanceId: 'i', omitted: ['input'] },
    ],
    ['exec.paused', { pauseId: 'p', input: 1, output: null }, { pauseId: 'p', omitted: ['input', 'output'] }],
    [
      'exec.resumed',
      { pauseId: 'p', injected: { output: 42 }, edited: { after: { a: 1 } } },
      { pauseId: 'p', injected: { output: null }, edited: { after: null }, omitted: ['injected', 'edited'] },
    ],
    [
      'node.token',
      {
        nodeId: 'n',
        deltas: [
          { t: 'text', v: 'hello' },
          { t: 'text', v: '' },
        ],
      },
      {
        nodeId: 'n',
        deltas: [
          { t: 'text', v: '', chars: 5 },
          { t: 'text', v: '' },
        ],
        omitted: ['deltas'],
      },
    ],
  ])('%s keeps everything but the values, and names them', (type, payload, expected) => {
    expect(withoutPayloads(envelope(type, payload)).payload).toEqual(expected)
  })

  it('is the same event where there is nothing to leave out', () => {
    const finished = envelope('run.finished', { status: 'ok' })
    expect(withoutPayloads(finished)).toBe(finished)
    const odd = envelope('later', 'text')
    expect(withoutPayloads(odd)).toBe(odd)
  })
})
