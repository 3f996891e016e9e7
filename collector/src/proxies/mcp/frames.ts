const NEWLINE = 0x0a

/** Default ceiling of one frame while it is put together, bytes. */
export const DEFAULT_MAX_FRAME_BYTES = 64 * 1024 * 1024

/** A whole line with its newline (the last one of a stream may lack it), or bytes that are no longer looked at. */
export type Piece = { readonly kind: 'frame' | 'raw'; readonly bytes: Buffer }

/**
 * Cuts a stream of bytes into lines, which is how MCP frames its messages on stdio. What goes in comes out, byte for byte. A line above the
 * ceiling turns the splitter into a pass-through: from then on everything comes out as `raw`, at once.
 */
export class FrameSplitter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0
  #isRaw = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Passes everything through from now on, beginning with what is waiting for its newline. */
  passThrough(): Piece[] {
    this.#isRaw = true
    return this.#takeRest('raw')
  }

  push(chunk: Buffer): Piece[] {
    if (this.#isRaw) return chunk.length === 0 ? [] : [{ kind: 'raw', bytes: chunk }]
    const pieces: Piece[] = []
    let start = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start)
      const end = newline === -1 ? chunk.length : newline + 1
      if (this.#bytes + end - start > this.#maxBytes) {
        this.#keep(chunk.subarray(start))
        return [...pieces, ...this.passThrough()]
      }
      this.#keep(chunk.subarray(start, end))
      if (newline === -1) return pieces
      pieces.push(...this.#takeRest('frame'))
      start = end
    }
  }

  /** The end of the stream: what never got its newline. */
  end(): Piece[] {
    return this.#takeRest(this.#isRaw ? 'raw' : 'frame')
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#bytes += part.length
  }

  #takeRest(kind: Piece['kind']): Piece[] {
    const [first, ...others] = this.#parts
    this.#parts = []
    this.#bytes = 0
    if (first === undefined) return []
    return [{ kind, bytes: others.length === 0 ? first : Buffer.concat([first, ...others]) }]
  }
}
