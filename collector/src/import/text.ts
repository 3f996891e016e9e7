/** How the bytes of a file are to be read, decided by its first ones. */
export type ContentKind = 'json' | 'protobuf' | 'foreign'

export interface Sniffed {
  readonly kind: ContentKind
  /** What it is instead, for files that are surely no trace. */
  readonly words?: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  /** Bytes of the byte order mark. */
  readonly skip: number
}

/** This many bytes are enough to tell what a file is. */
export const SNIFF_BYTES = 512

const SIGNATURES: readonly (readonly [signature: string, words: string])[] = [
  ['SQLite format 3\0', 'a SQLite database'],
  ['PK\x03\x04', 'a zip archive; unpack it first'],
  ['\x1f\x8b', 'packed a second time; unpack it once'],
  ['\x28\xb5\x2f\xfd', 'packed a second time; unpack it once'],
  ['BZh', 'packed with bzip2; gzip, zstd and plain files are read'],
  ['\xfd7zXZ', 'packed with xz; gzip, zstd and plain files are read'],
  ['7z\xbc\xaf', 'a 7z archive; unpack it first'],
  ['PAR1', 'a Parquet file; save its rows as JSON lines first'],
  ['\x89PNG', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
  ['GIF8', 'a picture'],
  ['%PDF', 'a PDF'],
]

const TAR_AT = 257
const TAR = ['ustar', 'a tar archive; unpack it first'] as const

/** Tells what a file is from its first bytes. */
export function sniff(head: Uint8Array): Sniffed {
  const [first = 0, second = 0, third = 0] = head
  if (first === 0xef && second === 0xbb && third === 0xbf) return { kind: 'json', encoding: 'utf-8', skip: 3 }
  if (first === 0xff && second === 0xfe) return { kind: 'json', encoding: 'utf-16le', skip: 2 }
  if (first === 0xfe && second === 0xff) return { kind: 'json', encoding: 'utf-16be', skip: 2 }
  if (isOpener(first) && second === 0) return { kind: 'json', encoding: 'utf-16le', skip: 0 }
  if (first === 0 && isOpener(second)) return { kind: 'json', encoding: 'utf-16be', skip: 0 }
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFF_BYTES)).toString('latin1')
  const isTar = start.startsWith('ustar', TAR_AT)
  const known = isTar ? TAR : SIGNATURES.find(([signature]) => start.startsWith(signature))
  if (known !== undefined) return { kind: 'foreign', words: known[1], encoding: 'utf-8', skip: 0 }
  if (/^\s*</.test(start)) return { kind: 'foreign', words: 'a web page or XML', encoding: 'utf-8', skip: 0 }
  // Protobuf is full of small field numbers and lengths, which JSON text never holds.
  return { kind: hasControlBytes(head) ? 'protobuf' : 'json', encoding: 'utf-8', skip: 0 }
}

function isOpener(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b
}

function hasControlBytes(head: Uint8Array): boolean {
  return head.subarray(0, SNIFF_BYTES).some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c)
}

/** Turns the text of a file into UTF-8 bytes, a piece at a time. UTF-8 passes as it is. */
export function utf8Of(encoding: Sniffed['encoding']): (bytes: Uint8Array, isLast: boolean) => Uint8Array {
  if (encoding === 'utf-8') return (bytes) => bytes
  const decoder = new TextDecoder(encoding)
  return (bytes, isLast) => Buffer.from(decoder.decode(bytes, { stream: !isLast }), 'utf8')
}
