import { findForbiddenMarker, parseEnvelope } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import type { Payload } from './redact.ts'
import { serialize } from './serialize.ts'
import { shrinkPayload } from './shrink.ts'

const MAX = 10_000

function shrink(type: string, payload: Payload): Payload {
  return shrinkPayload(type, payload, Buffer.byteLength(serialize(payload)), MAX)
}

function isStillValid(type: string, payload: Payload): boolean {
  return parseEnvelope({ gm: 1, seq: 0, ts: 0, runId: 'r', type, payload }).outcome === 'ok'
}

describe('a payload that is too large', () => {
  it('loses its largest field first and keeps the others whole', () => {
    const payload = { nodeId: 'n', kind: 'tool', name: 'n', instanceId: 'i', input: { text: 'x'.repeat(20_000) }, small: [1, 2] }
    const shrunk = shrink('node.started', payload)
    expect(shrunk).toMatchObject({ nodeId: 'n', small: [1, 2], __graphmindTruncated: true, fields: ['input'] })
    expect(shrunk['input']).toMatchObject({ __graphmindTruncated: true, bytes: 20_011 })
    expect((shrunk['input'] as { preview: string }).preview).toHaveLength(2000)
    expect(isStillValid('node.started', shrunk)).toBe(true)
  })

  it.each<[string, Payload]>([
    ['node.started', { nodeId: 'x'.repeat(20_000), kind: 'tool', name: 'n', instanceId: 'i' }],
    ['node.token', { nodeId: 'n', deltas: [{ t: 'text', v: 'x'.repeat(20_000) }] }],
    ['node.error', { nodeId: 'n', error: { name: 'Error', message: 'x'.repeat(20_000), stack: 'y'.repeat(20_000) } }],
    [
      'graph.hint',
      { nodes: Array.from({ length: 500 }, (_, index) => ({ nodeId: `n${index}`, kind: 'tool', name: 'a name of some length' })) },
    ],
    [
      'node.finished',
      {
        nodeId: 'n',
        durationMs: 1,
        status: 'ok',
        ...Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key${index}`, index])),
      },
    ],
    ['run.started', { app: 'a', sdk: { name: 's', version: '1' }, meta: { text: 'x'.repeat(20_000) } }],
  ])('is still a %s that fits and that nobody can send back', (type, payload) => {
    const shrunk = shrink(type, payload)
    expect(Buffer.byteLength(serialize(shrunk))).toBeLessThanOrEqual(MAX)
    expect(isStillValid(type, shrunk)).toBe(true)
    expect(findForbiddenMarker(shrunk)).toBe('truncated')
  })

  it('becomes one marker when its type is not known and its fields do not matter', () => {
    const payload = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`a-key-of-some-length-${index}`.repeat(4), 'x'.repeat(90)]),
    )
    const shrunk = shrink('custom.event', payload)
    expect(shrunk).toMatchObject({ __graphmindTruncated: true })
    expect(Buffer.byteLength(serialize(shrunk))).toBeLessThanOrEqual(MAX)
  })

  it('does not cut a character in half', () => {
    const shrunk = shrink('node.finished', { nodeId: 'n', durationMs: 1, status: 'ok', output: `x${'😀'.repeat(10_000)}` })
    expect(String(shrunk['output']).isWellFormed()).toBe(true)
  })
})

describe('serialising', () => {
  it('copes with cycles, bigints, throwing getters and bytes', () => {
    const value: Record<string, unknown> = { big: 10n, when: new Date(0), bytes: new Uint8Array(3), list: [1n] }
    value['self'] = value
    Object.defineProperty(value, 'bad', {
      enumerable: true,
      get() {
        throw new Error('no')
      },
    })
    expect(JSON.parse(serialize(value))).toEqual({
      big: '10',
      when: '1970-01-01T00:00:00.000Z',
      bytes: '<3 bytes>',
      list: ['1'],
      self: '[circular]',
      bad: { __graphmind: 'unserializable' },
    })
  })

  it('copes with nesting deeper than the stack', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = { deep }
    expect(serialize(deep)).toContain('depth limit')
  })
})
