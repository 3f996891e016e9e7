import type { Readable } from 'node:stream'
import type { FrameSplitter, Piece } from './frames.ts'

/** Moves what a side sends, piece by piece: the source is read no further while a piece is being dealt with. Resolves at its end; never rejects. */
export async function pump(source: Readable, splitter: FrameSplitter, take: (piece: Piece) => Promise<void>): Promise<void> {
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) for (const piece of splitter.push(chunk)) await take(piece)
  } catch {
    // The source broke off, which says what an end says: nothing more comes.
  }
  for (const piece of splitter.end()) await take(piece)
}
