import { expect, it } from 'vitest'
import { fieldsWords, readShape, typeWords } from './json-shape.ts'

it.each([
  [
    { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
    'city: string, days?: integer',
  ],
  [
    { properties: { mode: { enum: ['fast', 'slow'] }, tags: { type: 'array', items: { type: 'string' } } } },
    'mode?: "fast" | "slow", tags?: string[]',
  ],
  [
    { properties: { note: { type: ['string', 'null'] }, both: { anyOf: [{ type: 'number' }, { type: 'null' }] } } },
    'note?: string | null, both?: number | null',
  ],
  [{ $ref: '#/$defs/Trip', $defs: { Trip: { properties: { to: { $ref: '#/$defs/Place' } } }, Place: { type: 'string' } } }, 'to?: string'],
  [{ properties: { any: {}, none: { $ref: '#/$defs/missing' }, one: { const: 7 } } }, 'any?: any, none?: any, one?: 7'],
  [{ type: 'object' }, undefined],
  ['… (312 characters)', undefined],
])('tells the fields of %j', (schema, words) => {
  expect(fieldsWords(readShape(schema))).toBe(words)
})

it('tells what the one object of several variants holds, and nothing of two', () => {
  const object = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, additionalProperties: false })
  expect(fieldsWords(readShape({ anyOf: [{ type: 'null' }, object('a')] }))).toBe('a?: string')
  expect(readShape({ anyOf: [{ type: 'null' }, object('a')] }).open).toBe(false)
  expect(fieldsWords(readShape({ oneOf: [object('a'), object('b')] }))).toBeUndefined()
})

it('reads a schema that holds itself as far as it helps', () => {
  const tree = readShape({ $ref: '#', properties: { left: { $ref: '#' } } })
  expect(typeWords(tree)).toBe('any')
  expect(fieldsWords(readShape({ properties: { left: { $ref: '#' } } }))).toBe('left?: any')
})
