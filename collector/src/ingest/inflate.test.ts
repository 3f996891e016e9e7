import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inflate } from './inflate.ts'

const MIB = 1024 * 1024

describe('inflate', () => {
  it('reads plain, gzip and deflate bodies up to the cap', () => {
    const body = Buffer.alloc(MIB, 'a')
    for (const [bytes, encoding] of [
      [body, 'identity'],
      [gzipSync(body), 'gzip'],
      [deflateSync(body), 'deflate'],
    ] as const) {
      const result = inflate(bytes, encoding, MIB)
      expect(result.ok && Buffer.from(result.value).equals(body)).toBe(true)
    }
  })

  it('stops a body that would grow past the cap', () => {
    const body = Buffer.alloc(MIB + 1, 'a')
    for (const [bytes, encoding] of [
      [body, 'identity'],
      [gzipSync(body), 'gzip'],
      [deflateSync(body), 'deflate'],
    ] as const) {
      expect(inflate(bytes, encoding, MIB)).toMatchObject({ ok: false, problem: { code: 'too-large' } })
    }
  })

  it('refuses a body that is cut short or something else', () => {
    const cut = gzipSync(Buffer.from('{"resourceSpans":[]}')).subarray(0, 15)
    expect(inflate(cut, 'gzip')).toMatchObject({ ok: false, problem: { code: 'encoding' } })
    expect(inflate(Buffer.from('{}'), 'gzip')).toMatchObject({ ok: false, problem: { code: 'encoding' } })
  })
})
