import type { Writable } from 'node:stream'

/** A stream that is written to until its reader is gone; from then on what is written is dropped. */
export interface Sink {
  /** Resolves when more may be written. Never rejects. */
  readonly write: (bytes: Buffer) => Promise<void>
  readonly end: () => void
}

export function sinkOf(stream: Writable): Sink {
  let isClosed = false
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const close = () => {
    isClosed = true
    wake()
  }
  // A reader that hung up: the stream that reads from it ends too, and that is what ends the session.
  stream.on('error', close).on('close', close).on('drain', wake)
  return {
    write(bytes) {
      if (isClosed || stream.write(bytes)) return Promise.resolve()
      return new Promise((resolve) => waiting.add(resolve))
    },
    end() {
      if (!isClosed) stream.end()
    },
  }
}
