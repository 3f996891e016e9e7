import { describe, expect, it } from 'vitest'
import { closeReason } from './sockets.ts'

describe('the reason in a close frame', () => {
  it('is kept whole up to 123 bytes', () => {
    expect(closeReason('a'.repeat(123))).toBe('a'.repeat(123))
  })

  it('is cut to whole characters beyond that, since ws throws on a longer one', () => {
    const cut = closeReason('’'.repeat(42))
    expect(cut).toBe('’'.repeat(41))
    expect(Buffer.byteLength(cut)).toBe(123)
    expect(closeReason(`a${'’'.repeat(41)}`)).toBe(`a${'’'.repeat(40)}`)
  })
})
