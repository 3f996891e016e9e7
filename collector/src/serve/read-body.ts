import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ByteBudget } from './byte-budget.ts'

/** What a request is told that `readBody` has no room for. */
export const NO_ROOM = 'Too much is waiting to be stored. Try again in a moment.'

/** A body in a buffer of its own, so that it can be transferred; `done` gives its bytes back to the budget. */
export type ReadBody =
  | { readonly outcome: 'read'; readonly body: Uint8Array<ArrayBuffer>; readonly done: () => void }
  | { readonly outcome: 'too-large' }
  | { readonly outcome: 'no-room' }
  | { readonly outcome: 'aborted' }

/** The length that a request gives of its body, or NaN. */
export function announcedBytes({ headers }: { readonly headers: IncomingHttpHeaders }): number {
  return Number(headers['content-length'] ?? Number.NaN)
}

/** Reads a request body of at most `maxBytes`; every byte is on the budget from the moment it may come. `announced`: as `announcedBytes` says. */
export async function readBody(request: Readable, announced: number, maxBytes: number, budget: ByteBudget): Promise<ReadBody> {
  if (announced > maxBytes) return { outcome: 'too-large' }
  let reserved = 0
  const reserve = (bytes: number) => {
    if (!budget.take(bytes)) return false
    reserved += bytes
    return true
  }
  const release = () => {
    budget.give(reserved)
    reserved = 0
  }
  if (announced > 0 && !reserve(announced)) return { outcome: 'no-room' }
  const chunks: Buffer[] = []
  let size = 0
  const ended = await pieces(request, (chunk) => {
    size += chunk.byteLength
    if (size > maxBytes) return 'too-large'
    if (size > reserved && !reserve(size - reserved)) return 'no-room'
    chunks.push(chunk)
    return undefined
  })
  if (ended !== 'end') {
    release()
    return { outcome: ended }
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
    free(chunk)
  }
  return { outcome: 'read', body, done: release }
}

/** Hands over what comes, until `take` names a reason to stop. By its events: an iterator takes as long as all else that is done for a small body. */
function pieces<Reason>(request: Readable, take: (chunk: Buffer) => Reason | undefined): Promise<Reason | 'end' | 'aborted'> {
  return new Promise((resolve) => {
    const stop = (reason: Reason | 'end' | 'aborted') => {
      request.off('data', taken).off('end', ended).off('close', gone)
      // Left half-read it still has to be answered, so it is not destroyed.
      request.pause()
      resolve(reason)
    }
    const taken = (chunk: Buffer) => {
      const reason = take(chunk)
      if (reason !== undefined) stop(reason)
    }
    const ended = () => stop('end')
    // The client went away in the middle of its body; there is nobody left to answer.
    const gone = () => stop('aborted')
    request.on('error', gone).on('close', gone).on('end', ended).on('data', taken)
  })
}

/** Gives a piece's memory back now. The collector of garbage sees small objects only, and would let tens of megabytes behind them pile up. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
