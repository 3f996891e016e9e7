import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CONTROLS } from './controls/index.ts'
import { createEnvelope } from './envelope.ts'
import { EVENTS } from './events/index.ts'
import { MAX_ID_LENGTH } from './ids.ts'
import { MAX_TS, parseEnvelope, parseFrame } from './parse.ts'

const envelope = { gm: 1, seq: 0, ts: 1756254187512, runId: 'run-1', type: 'mode.set', payload: { mode: 'step' } }
const OUTCOMES = ['ok', 'unknown-type', 'version-mismatch', 'invalid']

describe('the parser', () => {
  it.each([...EVENTS, ...CONTROLS])('takes the example of $type', ({ type, example }) => {
    expect(parseEnvelope({ ...envelope, type, payload: example })).toEqual({
      outcome: 'ok',
      envelope: { ...envelope, type, payload: example },
    })
  })

  it('takes what createEnvelope makes', () => {
    const made = createEnvelope('mode.set', { mode: 'run' }, { runId: '*', seq: 3, ts: 4 })
    expect(parseEnvelope(made)).toEqual({ outcome: 'ok', envelope: made })
  })

  it('looks at the shape first, then the version, then the type, then the payload', () => {
    const everythingWrong = { gm: 2, ts: 1, runId: 'r', type: 'node.dreamt', payload: 7 }
    expect(parseEnvelope(everythingWrong).outcome).toBe('invalid')
    expect(parseEnvelope({ ...everythingWrong, seq: 0 })).toEqual({ outcome: 'version-mismatch', gm: 2 })
    expect(parseEnvelope({ ...everythingWrong, seq: 0, gm: 1 }).outcome).toBe('unknown-type')
    expect(parseEnvelope({ ...everythingWrong, seq: 0, gm: 1, type: 'mode.set' }).outcome).toBe('invalid')
  })

  it('says version mismatch even of an envelope whose other fields only this version would refuse', () => {
    expect(parseEnvelope({ ...envelope, gm: 2, seq: -1, runId: '' }).outcome).toBe('version-mismatch')
  })

  it.each([
    ['seq', 0, -1],
    ['seq', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1],
    ['ts', MAX_TS, MAX_TS + 2],
    ['ts', -MAX_TS, Number.POSITIVE_INFINITY],
    ['ts', 0.5, Number.NaN],
    ['runId', 'x'.repeat(MAX_ID_LENGTH), 'x'.repeat(MAX_ID_LENGTH + 1)],
    ['runId', '*', 'nul\0'],
    ['runId', '🧠', '\ud83e'],
  ])('takes %s %j and refuses %j', (field, good, bad) => {
    expect(parseEnvelope({ ...envelope, [field]: good }).outcome).toBe('ok')
    expect(parseEnvelope({ ...envelope, [field]: bad })).toMatchObject({ outcome: 'invalid', issues: [{ path: field }] })
  })

  it('keeps unknown fields of every object as they are', () => {
    const rich = { ...envelope, origin: 'b3c1:4', payload: { mode: 'step', nested: { deep: [1, { x: null }] } } }
    expect(parseEnvelope(rich)).toEqual({ outcome: 'ok', envelope: rich })
  })

  it('reads a missing payload as an empty one', () => {
    const { payload: _payload, ...bare } = { ...envelope, type: 'node.dreamt' }
    expect(parseEnvelope(bare)).toEqual({ outcome: 'unknown-type', envelope: { ...bare, payload: {} } })
    expect(parseEnvelope({ ...bare, type: 'mode.set' })).toMatchObject({ outcome: 'invalid', issues: [{ path: 'mode' }] })
  })

  it('says of a frame that is not JSON what to do', () => {
    expect(parseFrame('{"gm":1')).toEqual({
      outcome: 'invalid',
      reason: 'The frame is not JSON. Send one JSON envelope per text frame.',
      issues: [],
    })
  })

  it('takes no type name from the prototype', () => {
    expect(parseEnvelope({ ...envelope, type: 'constructor' }).outcome).toBe('unknown-type')
    expect(parseEnvelope({ ...envelope, type: '__proto__' }).outcome).toBe('unknown-type')
  })

  it('never throws, whatever comes', () => {
    const types = fc.constantFrom(...[...EVENTS, ...CONTROLS].map((message) => message.type as string), 'node.dreamt')
    const nearly = fc.record({
      gm: fc.oneof(fc.constant(1), fc.anything()),
      seq: fc.oneof(fc.nat(), fc.anything()),
      ts: fc.oneof(fc.nat(), fc.anything()),
      runId: fc.oneof(fc.string(), fc.anything()),
      type: fc.oneof(types, fc.anything()),
      payload: fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
    })
    fc.assert(
      fc.property(fc.oneof(fc.anything(), nearly), (value) => {
        expect(OUTCOMES).toContain(parseEnvelope(value).outcome)
      }),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(OUTCOMES).toContain(parseFrame(text).outcome)
      }),
    )
  })

  it('gives a payload that a broken field spoils no other outcome than invalid, at that field', () => {
    for (const { type, payload, example } of [...EVENTS, ...CONTROLS])
      for (const field of Object.keys(payload.shape)) {
        const result = parseEnvelope({ ...envelope, type, payload: { ...example, [field]: Symbol('no JSON value') } })
        if (result.outcome === 'invalid') expect(result.issues[0]?.path.split('.')[0]).toBe(field)
      }
  })
})
