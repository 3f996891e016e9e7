import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameSplitter } from './frames.ts'
import { AHEAD_BYTES, pump } from './pump.ts'

describe('a side that is read', () => {
  it('is dealt with in order and byte for byte, however slow that is and however it arrives', async () => {
    const chunks = fc.array(
      fc.uint8Array({ minLength: 1, maxLength: 50 }).map((values) => values.map((value) => (value < 30 ? 0x0a : value))),
    )
    await fc.assert(
      fc.asyncProperty(chunks, fc.array(fc.boolean(), { minLength: 1 }), async (parts, slow) => {
        const taken: Buffer[] = []
        await pump(Readable.from(parts.map((part) => Buffer.from(part))), new FrameSplitter(40), {
          arrived: ({ bytes }) => bytes,
          take: async (bytes) => {
            if (slow[taken.length % slow.length] === true) await new Promise(setImmediate)
            taken.push(bytes)
          },
          ended: () => undefined,
        })
        expect(Buffer.concat(taken).equals(Buffer.concat(parts))).toBe(true)
      }),
    )
  })

  it('is seen ahead of what waits, and read no further than the bound', async () => {
    const line = Buffer.alloc(AHEAD_BYTES / 4, 'x')
    line[line.length - 1] = 0x0a
    let read = 0
    const source = new Readable({
      highWaterMark: 1,
      read() {
        read += 1
        this.push(read > 100 ? null : line)
      },
    })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let seen = 0
    let full: () => void = () => undefined
    const isFull = new Promise<void>((resolve) => {
      full = resolve
    })
    const done = pump(source, new FrameSplitter(AHEAD_BYTES), {
      arrived: () => {
        seen += 1
        if (seen === 5) full()
      },
      take: () => held,
      ended: () => undefined,
    })
    await isFull
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    expect(seen).toBe(5)
    release()
    await done
    expect(seen).toBe(100)
  })
})
