import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  exportJsonSchema,
  exportJsonSchemaString,
  PROTOCOL_VERSION,
  parseEnvelope,
  parseFrame,
  WILDCARD_RUN_ID,
} from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { root } from '../support/process.ts'

// contract/wire-protocol.md, the schema package itself.

const envelope = (type: string, payload: unknown, more: object = {}) => ({ gm: 1, seq: 0, ts: 1, runId: 'r', type, payload, ...more })

describe('the schema package', () => {
  it('speaks protocol 1 and calls no run *', () => {
    expect([PROTOCOL_VERSION, WILDCARD_RUN_ID]).toEqual([1, '*'])
  })

  it('exports the whole contract as JSON Schema 2020-12, and its text is deterministic', () => {
    const schema = exportJsonSchema()
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(exportJsonSchemaString()).toBe(exportJsonSchemaString())
    expect(JSON.parse(exportJsonSchemaString())).toEqual(schema)
  })

  it('the build writes it to schema.json at the package root, and the golden file pins its exact content', () => {
    expect(readFileSync(join(root, 'control', 'schema', 'schema.json'), 'utf8')).toBe(exportJsonSchemaString())
  })
})

describe('the parser', () => {
  it.each<[string, unknown, string]>([
    ['not envelope-shaped', { gm: 1 }, 'invalid'],
    ['not envelope-shaped, though of another gm', { gm: 2 }, 'invalid'],
    ['gm mismatch, though the type is unknown and the payload odd', envelope('later', 1, { gm: 2 }), 'version-mismatch'],
    ['gm mismatch, though the payload is bad', envelope('node.started', {}, { gm: 2 }), 'version-mismatch'],
    ['unknown type, whatever its payload', envelope('later', 'text'), 'unknown-type'],
    ['known type with a bad payload', envelope('node.started', { nodeId: 7 }), 'invalid'],
    ['otherwise', envelope('run.finished', { status: 'ok', more: 1 }), 'ok'],
  ])('resolves in order: %s', (_what, value, outcome) => {
    expect(parseEnvelope(value).outcome).toBe(outcome)
  })

  it('keeps unknown fields', () => {
    const value = envelope('run.finished', { status: 'ok', more: { deep: [1] } }, { trace: 7 })
    expect(parseEnvelope(value)).toMatchObject({ outcome: 'ok', envelope: value })
  })

  it.each([undefined, null, 0, '', [], {}, () => undefined, Symbol('s'), new Proxy({}, { get: () => Number.NaN })])(
    'never throws: %s',
    (value) => {
      expect(parseEnvelope(value).outcome).toBe('invalid')
    },
  )

  it.each(['', '{', '[]', 'null', '"x"', '{"gm":1}', '\u0000'])('never throws on the frame %j', (text) => {
    expect(parseFrame(text).outcome).toBe('invalid')
  })
})
