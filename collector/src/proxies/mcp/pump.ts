import type { Readable } from 'node:stream'
import type { FrameSplitter, Piece } from './frames.ts'

/** Bytes read ahead of the piece that is being dealt with; beyond them the source is read no further. */
export const AHEAD_BYTES = 1024 * 1024

export interface PumpPorts<Item> {
  /** Looks at a piece as it arrives, which may be long before its turn. */
  readonly arrived: (piece: Piece) => Item
  /** Deals with a piece; the next one waits. Never rejects. */
  readonly take: (item: Item) => Promise<void>
  /** Nothing more will arrive. */
  readonly ended: () => void
}

/** Moves what a side sends, one piece after the other, while looking a bounded way ahead. Resolves when all is dealt with; never rejects. */
export async function pump<Item>(source: Readable, splitter: FrameSplitter, { arrived, take, ended }: PumpPorts<Item>): Promise<void> {
  const queue: { readonly item: Item; readonly bytes: number }[] = []
  let queuedBytes = 0
  let isWorking = false
  let tellRoom: () => void = () => undefined
  let tellIdle: () => void = () => undefined

  const work = async () => {
    isWorking = true
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      await take(next.item)
      queue.shift()
      queuedBytes -= next.bytes
      tellRoom()
    }
    isWorking = false
    tellIdle()
  }
  const add = (piece: Piece) => {
    queue.push({ item: arrived(piece), bytes: piece.bytes.length })
    queuedBytes += piece.bytes.length
    if (!isWorking) void work()
  }
  const room = () =>
    new Promise<void>((resolve) => {
      tellRoom = () => {
        if (queuedBytes <= AHEAD_BYTES) resolve()
      }
      tellRoom()
    })
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      for (const piece of splitter.push(chunk)) add(piece)
      await room()
    }
  } catch {
    // The source broke off, which says what an end says: nothing more comes.
  }
  for (const piece of splitter.end()) add(piece)
  ended()
  await new Promise<void>((resolve) => {
    tellIdle = resolve
    if (!isWorking) resolve()
  })
}
