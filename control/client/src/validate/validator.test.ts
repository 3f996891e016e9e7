import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { validatorFor } from './validator.ts'

async function check(schema: unknown, input: unknown, edited: readonly string[] | 'all' = 'all') {
  const validate = validatorFor(schema)
  if (validate === undefined) throw new Error('No validator.')
  return await validate(input, edited)
}

/** A Standard Schema in the shape of ArkType's: a function, with issue paths of plain keys. */
const positive = Object.assign(() => undefined, {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value: unknown) =>
      (value as { n: number }).n > 0 ? { value } : { issues: [{ message: 'must be positive', path: [{ key: 'n' }] }] },
  },
})

describe('a Standard Schema', () => {
  const trip = z.object({ nights: z.number(), city: z.string().transform((text) => text.toUpperCase()) })

  it('lets a fitting input through and applies its transforms', async () => {
    expect(await check(trip, { nights: 2, city: 'lis' })).toEqual({ ok: true, value: { nights: 2, city: 'LIS' } })
  })

  it('transforms only the edited keys: the others went through it before', async () => {
    const appended = z.object({ nights: z.number(), city: z.string().transform((text) => `${text}!`) })
    expect(await check(appended, { nights: 3, city: 'lis!' }, ['nights'])).toEqual({ ok: true, value: { nights: 3, city: 'lis!' } })
    expect(await check(appended, { nights: 3, city: 'opo' }, ['city'])).toEqual({ ok: true, value: { nights: 3, city: 'opo!' } })
  })

  it('refuses with the place and the words of the schema', async () => {
    expect(await check(trip, { nights: 'two', city: 'lis' })).toEqual({ ok: false, message: expect.stringMatching(/^nights: /) })
    expect(await check(positive, { n: 0 })).toEqual({ ok: false, message: 'n: must be positive' })
    expect(await check(positive, { n: 1 })).toEqual({ ok: true, value: { n: 1 } })
  })
})

describe('a JSON Schema', () => {
  const trip = {
    type: 'object',
    properties: { nights: { type: 'integer', minimum: 1 }, code: { type: 'string', pattern: '^[A-Z]{3}$', format: 'airport' } },
    required: ['nights'],
    additionalProperties: false,
  }

  it('lets a fitting input through as it is', async () => {
    expect(await check(trip, { nights: 2, code: 'LIS' })).toEqual({ ok: true, value: { nights: 2, code: 'LIS' } })
  })

  it.each<[unknown, string]>([
    [{ nights: 'two' }, 'nights must be integer.'],
    [{}, "The input must have required property 'nights'."],
    [{ nights: 1, code: 'lisbon' }, 'code must match pattern "^[A-Z]{3}$".'],
    [{ nights: 1, more: 1 }, 'The input must NOT have additional properties.'],
  ])('refuses %j with its place and reason', async (input, message) => {
    expect(await check(trip, input)).toEqual({ ok: false, message })
  })

  it('of draft 7 or 2020-12 is read as what it says it is', async () => {
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'string' }] }
    const draft2020 = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'array', prefixItems: [{ type: 'string' }] }
    for (const schema of [draft7, draft2020]) {
      expect(await check(schema, ['a'])).toMatchObject({ ok: true })
      expect(await check(schema, [1])).toMatchObject({ ok: false })
    }
  })

  it('can’t stall the program by its pattern', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } }
    expect(await check(schema, { text: `${'a'.repeat(50_000)}!` })).toMatchObject({ ok: false })
  })
})

it.each([undefined, null, 'text', 7, [], {}, { '~standard': 1 }])('no check comes from %j', (schema) => {
  expect(validatorFor(schema)).toBeUndefined()
})
