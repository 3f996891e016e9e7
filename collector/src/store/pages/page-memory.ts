import { unpack } from '../pack.ts'
import { KEPT_SHEET, type StoredPage } from './stored-page.ts'

/** 1.5 KB a page of events, half a KB a page of spans: four runs of 100,000 calls. */
const MOST_BYTES = 8 * 1024 * 1024

/**
 * What is named in pages that were looked through once, by their keys, which are not used twice: who looks for a call in a run of many
 * pages inflates those alone that may name it. What was asked for longest ago is forgotten first.
 */
export class PageMemory {
  readonly events = new PageNames(MOST_BYTES / 2)
  readonly spans = new PageNames(MOST_BYTES / 2)
}

/** The names in pages of one kind. */
export class PageNames {
  readonly #mostBytes: number
  /** The hashes of the names in a page; the one that was asked for last is at the end. */
  readonly #pages = new Map<number, Uint32Array>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Whether the page may name one of these: true also of a page that is not remembered. */
  mayName(key: number, names: readonly string[]): boolean {
    const hashes = this.#pages.get(key)
    if (hashes === undefined) return true
    this.#pages.delete(key)
    this.#pages.set(key, hashes)
    return names.some((name) => hashes.includes(hashOf(name)))
  }

  remember(key: number, hashes: ReadonlySet<number>): void {
    if (this.#pages.has(key)) return
    const kept = Uint32Array.from(hashes)
    this.#pages.set(key, kept)
    this.#bytes += kept.byteLength
    for (const [oldest, { byteLength }] of this.#pages) {
      if (this.#bytes <= this.#mostBytes) return
      this.#pages.delete(oldest)
      this.#bytes -= byteLength
    }
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LINE_END = 0x0a
const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193

/** FNV-1a of the name as it stands in JSON. */
function hashOf(name: string): number {
  let hash = HASH_START
  for (const byte of Buffer.from(JSON.stringify(name).slice(1, -1))) hash = Math.imul(hash ^ byte, HASH_FACTOR)
  return hash >>> 0
}

/** Of all strings in the heads of a page of events; undefined for a page that may be about instances which these do not name. */
export function namesInHeads({ form, heads }: Pick<StoredPage, 'form' | 'heads'>): ReadonlySet<number> | undefined {
  if (form === KEPT_SHEET) return undefined
  const bytes = unpack(heads)
  const hashes = new Set<number>()
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at)) at = addString(hashes, bytes, at + 1)
  return hashes
}

/** Of the spans in a page of their copies. */
export function namesOfSpans(body: Uint8Array): ReadonlySet<number> {
  const bytes = unpack(body)
  const hashes = new Set<number>()
  for (let line = 0; line >= 0; line = nextLine(bytes, line)) addString(hashes, bytes, bytes.indexOf(QUOTE, line) + 1)
  return hashes
}

/** −1 when there is none. */
function nextLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_END, from)
  return end < 0 ? end : end + 1
}

/** Adds the string that begins here; gives where what follows its closing quote begins. */
function addString(hashes: Set<number>, bytes: Uint8Array, from: number): number {
  let hash = HASH_START
  let at = from
  for (let byte = bytes[at]; byte !== undefined && byte !== QUOTE; byte = bytes[++at]) {
    hash = Math.imul(hash ^ byte, HASH_FACTOR)
    if (byte === BACKSLASH) hash = Math.imul(hash ^ (bytes[++at] ?? 0), HASH_FACTOR)
  }
  hashes.add(hash >>> 0)
  return at + 1
}
