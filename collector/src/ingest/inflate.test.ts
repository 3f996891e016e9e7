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

  it('believes no gzip body that is longer than its own end says', () => {
    const lying = gzipSync(Buffer.alloc(MIB, 'a'))
    lying.writeUInt32LE(1000, lying.length - 4)
    expect(inflate(lying, 'gzip')).toMatchObject({
      ok: false,
      problem: { code: 'encoding', message: expect.stringContaining('longer than') },
    })
  })

  it('spends nothing on a bomb', () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB))
    const before = process.memoryUsage().arrayBuffers
    expect(inflate(bomb, 'gzip')).toMatchObject({ ok: false, problem: { code: 'too-large' } })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MIB)
  })

  it('refuses a body that is cut short or something else', () => {
    const cut = gzipSync(Buffer.from('{"resourceSpans":[]}')).subarray(0, 15)
    expect(inflate(cut, 'gzip')).toMatchObject({ ok: false, problem: { code: 'encoding' } })
    expect(inflate(Buffer.from('{}'), 'gzip')).toMatchObject({ ok: false, problem: { code: 'encoding' } })
  })
})
