import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameSplitter, type Piece } from './frames.ts'

function split(maxBytes: number, chunks: readonly (string | Uint8Array)[]): Piece[] {
  const splitter = new FrameSplitter(maxBytes)
  return [...chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk as string))), ...splitter.end()]
}

const shown = (pieces: readonly Piece[]) => pieces.map(({ kind, bytes }) => `${kind} ${JSON.stringify(bytes.toString())}`)
const bytesOf = (pieces: readonly Piece[]) => Buffer.concat(pieces.map(({ bytes }) => bytes))

describe('a stream cut into frames', () => {
  it('is one frame a line, however it arrives, and a last one without a newline', () => {
    expect(shown(split(100, ['{"a"', ':1}\r\n{', '"b":2}\n\n', 'rest']))).toEqual([
      'frame "{\\"a\\":1}\\r\\n"',
      'frame "{\\"b\\":2}\\n"',
      'frame "\\n"',
      'frame "rest"',
    ])
  })

  it('takes a frame of just the ceiling, newline included', () => {
    expect(shown(split(5, ['1234\n', '12', '34\n']))).toEqual(['frame "1234\\n"', 'frame "1234\\n"'])
  })

  it('passes everything through from the first frame above the ceiling on', () => {
    expect(shown(split(5, ['a\n123', '45\n', 'b\n']))).toEqual(['frame "a\\n"', 'raw "12345\\n"', 'raw "b\\n"'])
    expect(shown(split(5, ['a\n12345\nb\n', 'c']))).toEqual(['frame "a\\n"', 'raw "12345\\nb\\n"', 'raw "c"'])
  })

  it('comes out byte for byte, with any bytes in any pieces and any ceiling', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((values) => values.map((value) => (value < 40 ? 0x0a : value)))
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 20 }), fc.integer({ min: 1, max: 100 }), (chunks, maxBytes) => {
        const pieces = split(maxBytes, chunks)
        expect(bytesOf(pieces).equals(Buffer.concat(chunks))).toBe(true)
        const frames = pieces.filter(({ kind }) => kind === 'frame')
        for (const { bytes: frame } of frames) {
          expect(frame.length).toBeLessThanOrEqual(maxBytes)
          expect(frame.indexOf(0x0a) === -1 || frame.indexOf(0x0a) === frame.length - 1).toBe(true)
        }
      }),
    )
  })

  it('has the same frames whatever the pieces', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 20 }).map((lines) => Buffer.from(lines.join('\n')))
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 10 }), (bytes, cuts) => {
        const at = cuts.map((cut) => cut % (bytes.length + 1)).sort((left, right) => left - right)
        const chunks = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length))
        expect(shown(split(10_000, chunks))).toEqual(shown(split(10_000, [bytes])))
      }),
    )
  })
})
