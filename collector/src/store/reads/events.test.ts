import { describe, expect, it } from 'vitest'
import { envelopeOf, storedEvent } from './events.ts'

describe('a stored event', () => {
  it.each([
    ['plain', { seq: 3, ts: 5, type: 'node.started', payload: '{"name":"a \\"b\\"","input":null}', unknown_fields: null }],
    ['with fields of its own', { seq: 0, ts: 1.5, type: 'odd"type', payload: '"text"', unknown_fields: '{"of":["sheep"],"x":null}' }],
  ])('that is %s has the same text as the envelope it is parsed to', (_what, row) => {
    const event = storedEvent('run "1"', row, 2)
    expect(JSON.parse(event.json)).toEqual(envelopeOf('run "1"', row))
    expect(event.envelope).toEqual(envelopeOf('run "1"', row))
    expect([event.seq, event.after]).toEqual([row.seq, 2])
  })
})
