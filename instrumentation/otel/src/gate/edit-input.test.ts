import { expect, it } from 'vitest'
import * as z from 'zod'
import { checkAgainst, EditedInputs, replaceContents } from './edit-input.ts'

it('makes an input equal to its edit without another object taking its place', () => {
  const input = { city: 'Lima', days: 3 }
  replaceContents(input, { city: 'Oslo', sky: 'clear' })
  expect(input).toEqual({ city: 'Oslo', sky: 'clear' })
})

it.each([[Object.freeze({ city: 'Lima' })], [['Lima']], ['Lima'], [null]])('leaves an input alone that it can’t change: %o', (input) => {
  const before = structuredClone(input)
  replaceContents(input, { city: 'Oslo' })
  expect(input).toEqual(before)
})

it('gives an edited input away once', () => {
  const edits = new EditedInputs()
  edits.put('a', undefined)
  expect(edits.take('a')).toEqual({ input: undefined })
  expect(edits.take('a')).toBeUndefined()
})

it('checks with zod, with a schema of the AI SDK, and with one that is made late', async () => {
  const edited = 'all'
  const schema = z.object({ days: z.number() })
  const ofSdk = {
    validate: (value: unknown) => (value === 1 ? { success: true, value: 2 } : { success: false, error: new Error('not one') }),
  }
  expect(await checkAgainst(schema)?.({ days: 'x' }, edited)).toMatchObject({ ok: false, message: expect.stringMatching(/^days: /) })
  expect(await checkAgainst(schema)?.({ days: 1, more: true }, edited)).toEqual({ ok: true, value: { days: 1 } })
  expect(await checkAgainst(ofSdk)?.(1, edited)).toEqual({ ok: true, value: 2 })
  expect(await checkAgainst(ofSdk)?.(3, edited)).toEqual({ ok: false, message: 'not one' })
  expect(await checkAgainst(() => ofSdk)?.(1, edited)).toEqual({ ok: true, value: 2 })
})

it.each([[undefined], [{ type: 'object' }], ['text']])('checks nothing without a schema that can: %o', (schema) => {
  expect(checkAgainst(schema)).toBeUndefined()
})
