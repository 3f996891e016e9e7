import { Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { messageOf } from '../problem.ts'

const MAGIC = { gzip: [0x1f, 0x8b], zstd: [0x28, 0xb5, 0x2f, 0xfd] } as const
const MAGIC_BYTES = 4
const OUTPUT_BYTES = 128 * 1024

/** The bytes of a file, unpacked when they are gzip or zstd. `damaged` is called when the packing ends early or does not fit; what came before stays. */
export async function* unpacked(source: AsyncIterable<Uint8Array>, damaged: (reason: string) => void): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]()
  const head = await readHead(pieces)
  const packing = (['gzip', 'zstd'] as const).find((name) => MAGIC[name].every((byte, index) => head[index] === byte))
  if (packing === undefined) {
    if (head.length > 0) yield head
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value
    return
  }
  const unpack = packing === 'gzip' ? createGunzip({ chunkSize: OUTPUT_BYTES }) : createZstdDecompress({ chunkSize: OUTPUT_BYTES })
  let sourceError: unknown
  const input = Readable.from(chained(head, pieces), { objectMode: false })
  input.once('error', (error) => {
    sourceError = error
    unpack.destroy(error)
  })
  input.pipe(unpack)
  try {
    yield* unpack as AsyncIterable<Uint8Array>
  } catch (error) {
    if (sourceError !== undefined) throw sourceError
    damaged(`its ${packing} packing is damaged or ends early (${messageOf(error)})`)
  } finally {
    input.destroy()
  }
}

async function readHead(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array()
  while (head.length < MAGIC_BYTES) {
    const next = await pieces.next()
    if (next.done === true) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  return head
}

async function* chained(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
