import { describe, expect, it } from 'vitest'
import { TRUNCATED } from './limits.ts'
import { shorten } from './shorten.ts'

const png = (bytes: number) => `iVBORw0KGgo${'A'.repeat(Math.ceil((bytes * 4) / 3) - 11)}`

describe('shorten', () => {
  it('replaces base64 longer than 1 KB by its type and size, and keeps a small icon', () => {
    expect(shorten({ type: 'image', image: png(1500), mimeType: 'image/png' })).toEqual({
      type: 'image',
      image: { mime: 'image/png', bytes: 1500 },
      mimeType: 'image/png',
    })
    expect(shorten({ type: 'image', image: png(900) })).toEqual({ type: 'image', image: png(900) })
  })

  it('finds the type of base64 by its first bytes when nobody names it', () => {
    expect(shorten({ type: 'blob', content: png(3000) })).toEqual({ type: 'blob', content: { mime: 'image/png', bytes: 3000 } })
  })

  it('replaces long data URLs wherever they are', () => {
    expect(shorten({ url: `data:audio/wav;base64,${'QUJD'.repeat(1000)}` })).toEqual({ url: { mime: 'audio/wav', bytes: 3000 } })
  })

  it('leaves long text without spaces alone when nothing says that it is media', () => {
    const token = 'a'.repeat(5000)
    expect(shorten({ type: 'text', text: token })).toEqual({ type: 'text', text: token })
  })

  it('replaces bytes that were written as numbered fields or as a Node buffer', () => {
    const bytes = [0x89, 0x50, 0x4e, 0x47, ...Array.from({ length: 40 }, (_, index) => index)]
    expect(shorten({ ...bytes })).toEqual({ mime: 'image/png', bytes: 44 })
    expect(shorten({ type: 'Buffer', data: bytes })).toEqual({ mime: 'image/png', bytes: 44 })
    expect(shorten({ 0: 1, 1: 2 })).toEqual({ 0: 1, 1: 2 })
    expect(shorten({ 0: 1, 5: 2, name: 'x' })).toEqual({ 0: 1, 5: 2, name: 'x' })
  })

  it('makes half a surrogate pair a replacement character and keeps the whole emoji beside it', () => {
    expect(shorten({ '\ud83d': 'tail \ud83d', ship: '\ud83d\udea2' })).toEqual({ '\ufffd': 'tail \ufffd', ship: '\ud83d\udea2' })
  })

  it('keeps the digits of a 64-bit integer', () => {
    expect(shorten([5n, 9007199254740993n, Number.NaN])).toEqual([5, '9007199254740993', null])
  })

  it('cuts nesting that would overflow the reader', () => {
    let deep: unknown = 'core'
    for (let depth = 0; depth < 5000; depth++) deep = [deep]
    expect(JSON.stringify(shorten(deep))).toContain(TRUNCATED)
  })
})
