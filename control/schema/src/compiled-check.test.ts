import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { compileCheck } from './compiled-check.ts'
import { CONTROLS } from './controls/index.ts'
import { EVENTS } from './events/index.ts'

const VALUES = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 'tool', 'ok', 'before', 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, [], {}),
  fc.constantFrom<unknown>(['tool'], ['tool', 7], [{ t: 'text', v: 'x' }], [{ t: 'text' }], { name: 'a', message: 'b' }, { name: 'a' }),
  fc.constantFrom<unknown>({ inputTokens: 1, outputTokens: 2 }, { inputTokens: '1', outputTokens: 2 }, { count: 1, keys: [] }),
  fc.anything(),
)

describe('a compiled check', () => {
  it.each([...EVENTS, ...CONTROLS])('says of every payload of $type what Zod says', ({ payload, example }) => {
    const fits = compileCheck(payload)
    expect(fits(example)).toBe(true)
    const changed = fc.record({ field: fc.constantFrom(...Object.keys(payload.shape), 'another'), value: VALUES, gone: fc.boolean() })
    fc.assert(
      fc.property(fc.array(changed, { maxLength: 3 }), (changes) => {
        const value: Record<string, unknown> = { ...example }
        for (const change of changes) {
          if (change.gone) delete value[change.field]
          else value[change.field] = change.value
        }
        expect(fits(value)).toBe(z.safeParse(payload, value).success)
      }),
    )
    fc.assert(fc.property(fc.anything(), (value) => fits(value) === z.safeParse(payload, value).success))
  })

  it.each([
    ['a whole number', z.int()],
    ['a refined text', z.string().check(z.minLength(2))],
    ['a text of a format', z.email()],
    ['a strict object', z.strictObject({ a: z.string() })],
    ['a record', z.record(z.string(), z.number())],
  ])('leaves %s to Zod where it has no words for it', (_what, schema) => {
    const fits = compileCheck(schema)
    for (const value of ['', 'ab', 'a@b.de', 1, 1.5, 2 ** 60, {}, { a: 'x' }, { a: 'x', b: 1 }, { b: 1 }, [], null])
      expect([value, fits(value)]).toEqual([value, z.safeParse(schema, value).success])
  })
})
