const MAX_LINES = 200
const MAX_BYTES = 32 * 1024
/** Pieces of a log arrive in bursts; one event a burst is enough for a reader. */
const FLUSH_MS = 50

/** The server's log: passed on in batches, its last lines kept to explain why it died. */
export class StderrLog {
  readonly #told: (text: string) => void
  readonly #decoder = new TextDecoder()
  #batch = ''
  #tail = ''
  #timer: NodeJS.Timeout | undefined

  constructor(told: (text: string) => void) {
    this.#told = told
  }

  push(chunk: Buffer): void {
    this.#add(this.#decoder.decode(chunk, { stream: true }))
  }

  /** The end of the stream: nothing waits any more. */
  end(): void {
    this.#add(this.#decoder.decode())
    this.#flush()
  }

  /** The last lines, at most `count` of the 200 lines and 32 KB that are kept. */
  lastLines(count: number): readonly string[] {
    const lines = this.#tail.split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines.slice(-Math.min(count, MAX_LINES))
  }

  #add(text: string): void {
    if (text === '') return
    this.#batch += text
    // Characters are at most 3 bytes each here, so this bound in characters keeps the one in bytes near.
    this.#tail = (this.#tail + text).slice(-MAX_BYTES)
    if (this.#batch.length >= MAX_BYTES) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#batch
    this.#batch = ''
    if (text !== '') this.#told(text)
  }
}
