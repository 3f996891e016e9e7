import { cleanMessage } from '@graphmind-ai/schema/conditions'
import { describe, expect, it } from 'vitest'
import { mergeEdit, validateEdit } from './edit.ts'

describe('an edited input', () => {
  it('replaces top-level keys, keeps the others and puts new ones after', () => {
    const merged = mergeEdit({ from: 'VIE', to: 'LIS', deep: { a: 1 } }, { to: 'OPO', deep: { b: 2 }, seats: 2 }, false)
    expect(merged).toEqual({ ok: true, value: { from: 'VIE', to: 'OPO', deep: { b: 2 }, seats: 2 }, edited: ['to', 'deep', 'seats'] })
    expect(merged.ok && Object.keys(merged.value as object)).toEqual(['from', 'to', 'deep', 'seats'])
  })

  it('is the whole input where the person could not see the old one, or where that was no object', () => {
    expect(mergeEdit({ from: 'VIE' }, { to: 'OPO' }, true)).toEqual({ ok: true, value: { to: 'OPO' }, edited: 'all' })
    expect(mergeEdit('text', { to: 'OPO' }, false)).toEqual({ ok: true, value: { to: 'OPO' }, edited: 'all' })
    expect(mergeEdit(undefined, { to: 'OPO' }, false)).toEqual({ ok: true, value: { to: 'OPO' }, edited: 'all' })
  })

  it.each([
    ['text', '"x"'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a prototype', '{"__proto__":{"admin":true}}'],
    ['a deep prototype', '{"a":[{"__proto__":1}]}'],
    ['a constructor’s prototype', '{"constructor":{"prototype":{"x":1}}}'],
  ])('is refused when it is %s', (_what, json) => {
    expect(mergeEdit({}, JSON.parse(json), false)).toMatchObject({ ok: false, code: 'shape' })
  })
})

const editOf = (value: unknown) => ({ ok: true, value, edited: 'all' }) as const

describe('the caller’s check', () => {
  it('may change the value', async () => {
    expect(await validateEdit(editOf({ n: '2' }), () => ({ ok: true, value: { n: 2 } }), 1000)).toEqual({ ok: true, value: { n: 2 } })
  })

  it('refuses with its own words, or without quoting anything when it throws', async () => {
    expect(await validateEdit(editOf({}), () => ({ ok: false, message: 'n must\nbe a number' }), 1000)).toEqual({
      ok: false,
      code: 'schema',
      message: 'n must be a number',
    })
    const throwing = () => {
      throw new Error('secret-value is wrong')
    }
    const result = await validateEdit(editOf({}), throwing, 1000)
    expect(result).toMatchObject({ ok: false, code: 'schema' })
    expect(JSON.stringify(result)).not.toContain('secret-value')
  })

  it('is not waited for without end', async () => {
    expect(await validateEdit(editOf({}), () => new Promise(() => undefined), 1)).toMatchObject({ ok: false, code: 'schema' })
  })

  it('speaks in one printable line of at most 200 characters', () => {
    expect(cleanMessage(` a\u001b[31m\u202e b\n${'x'.repeat(300)}`)).toHaveLength(200)
    expect(cleanMessage('a\u0000\u202eb')).toBe('a b')
    expect(cleanMessage('😀'.repeat(201)).isWellFormed()).toBe(true)
  })
})
