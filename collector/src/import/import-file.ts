import type { FileImport } from '../ingest/ingest-thread.ts'
import { failed, messageOf, ok, type Result } from '../problem.ts'
import { unpacked } from './decompress.ts'
import { KNOWN_FORMATS } from './formats/index.ts'
import type { ImportProgress, ImportSummary, SkippedPart } from './import-job.ts'
import { EMPTY_FILE } from './trace-reader.ts'

// Big enough that few commits are needed, small enough that a held call's resume waits only some milliseconds behind one.
const PIECE_BYTES = 128 * 1024
// While one piece is being stored the next is read.
const MAX_IN_FLIGHT = 2

/** Sends one file's bytes through an import. A problem when nothing of it could be read: its message names what was found and what is known. */
export async function importFile(
  file: string,
  source: AsyncIterable<Uint8Array>,
  target: FileImport,
  progress: (done: ImportProgress) => void = () => undefined,
): Promise<Result<ImportSummary>> {
  const damages: SkippedPart[] = []
  const pieces = pieced(unpacked(source, (reason) => damages.push({ line: null, reason })))
  const sent = await sendAll(file, pieces, target, progress)
  if (!sent.ok) return sent
  const ended = await endOf(target, progress)
  if (!ended.ok) return ended
  const { skipped, skippedCount } = ended.value
  const summary = { ...ended.value, skipped: [...skipped, ...damages], skippedCount: skippedCount + damages.length }
  return summary.isKnown ? ok(summary) : failed('import-unknown', unknownWords(file, summary.skipped))
}

async function endOf(target: FileImport, progress: (done: ImportProgress) => void): Promise<Result<ImportSummary>> {
  for (;;) {
    const ended = await target.end()
    if (!ended.ok) return ended
    if ('runIds' in ended.value) return ok(ended.value)
    progress(ended.value)
  }
}

async function sendAll(
  file: string,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  target: FileImport,
  progress: (done: ImportProgress) => void,
): Promise<Result<void>> {
  const inFlight: Promise<Result<ImportProgress>>[] = []
  try {
    for await (const piece of pieces) {
      inFlight.push(target.write(piece))
      if (inFlight.length < MAX_IN_FLIGHT) continue
      const written = await inFlight.shift()
      if (written?.ok === false) return written
      if (written !== undefined) progress(written.value)
    }
    for (const written of await Promise.all(inFlight)) if (!written.ok) return written
    return ok(undefined)
  } catch (error) {
    await target.drop()
    return failed('import-read', `${file} could not be read to its end: ${messageOf(error)}.`)
  }
}

/** Pieces in buffers of their own, so that they can be transferred. */
async function* pieced(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(PIECE_BYTES)
  let size = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + PIECE_BYTES - size)
      piece.set(part, size)
      size += part.length
      at += part.length
      if (size < PIECE_BYTES) continue
      yield piece
      piece = new Uint8Array(PIECE_BYTES)
      size = 0
    }
  }
  if (size > 0) yield piece.slice(0, size)
}

/** Ends the message about a file that is of none of them. */
export const KNOWN_FORMATS_SENTENCE = `Known formats: ${KNOWN_FORMATS}; each also packed with gzip or zstd.`

function unknownWords(file: string, skipped: readonly SkippedPart[]): string {
  const [first] = skipped
  if (first?.reason === EMPTY_FILE) return `${file} is empty.`
  const what =
    first === undefined ? 'nothing in it could be read' : first.line === null ? first.reason : `line ${first.line}: ${first.reason}`
  return `${file} holds no trace in a known format (${what}). ${KNOWN_FORMATS_SENTENCE}`
}
