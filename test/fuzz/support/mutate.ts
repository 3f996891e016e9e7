import type { Random } from './random.ts'

// Lengths and numbers that readers trip over: zero, the edges of 32 and 64 bits, and endless ones.
const NASTY_BYTES: readonly (readonly number[])[] = [
  [0x00],
  [0x7f],
  [0x80],
  [0xff],
  [0xff, 0xff, 0xff, 0xff, 0x07],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0xed, 0xa0, 0x80],
  [0x0b, 0x0b, 0x0b],
]
const NASTY_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  0,
  -1,
  1e308,
  2 ** 53,
  '18446744073709551616',
  '-9223372036854775809',
  'NaN',
  '\ud800',
  '\u0000',
  '__proto__',
  '../../etc/passwd',
  [],
  {},
  [[]],
  { length: -1 },
  { constructor: { prototype: { polluted: true } } },
  { toString: 1, valueOf: 1, toJSON: 1 },
]
const NASTY_KEYS = ['__proto__', 'constructor', 'toString', '', 'length', 'then', 'toJSON', '0']

/** A few changes to bytes: bits, lengths, pieces taken out, doubled, or taken over from another seed. */
export function mutateBytes(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  let out: Buffer = Buffer.from(bytes)
  for (let left = 1 + random.below(4); left > 0; left--) out = mutateOnce(random, out, Buffer.from(other))
  return out
}

function mutateOnce(random: Random, bytes: Buffer, other: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + 1 + random.below(40))
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  switch (random.below(7)) {
    case 0:
      return Buffer.concat([before, Buffer.from(piece.map((byte, index) => (index === 0 ? byte ^ (1 << random.below(8)) : byte))), after])
    case 1:
      return Buffer.concat([before, Buffer.from(random.pick(NASTY_BYTES)), bytes.subarray(at)])
    case 2:
      return Buffer.concat([before, Buffer.from(random.pick(NASTY_BYTES)), bytes.subarray(Math.min(bytes.length, at + 1))])
    case 3:
      return Buffer.concat([before, after])
    case 4:
      return Buffer.concat([before, piece, piece, after])
    case 5:
      return Buffer.from(before)
    default:
      return Buffer.concat([before, other.subarray(random.below(other.length + 1))])
  }
}

/** A copy of a JSON value with a few of its parts replaced, renamed, left out, doubled or nested. */
export function mutateJson(random: Random, value: unknown): unknown {
  let out = value
  for (let left = 1 + random.below(3); left > 0; left--) out = changeSomewhere(random, out)
  return out
}

function changeSomewhere(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.08)) return changed(random, value)
  if (Array.isArray(value)) return changeInList(random, value as readonly unknown[])
  const entries = Object.entries(value)
  if (entries.length === 0) return changed(random, value)
  const index = random.below(entries.length)
  const [key, entry] = entries[index] ?? ['', undefined]
  const change = random.next()
  if (change < 0.05) entries.splice(index, 1)
  else if (change < 0.1) entries[index] = [random.pick(NASTY_KEYS), entry]
  else entries[index] = [key, changeSomewhere(random, entry)]
  return Object.fromEntries(entries)
}

function changeInList(random: Random, list: readonly unknown[]): unknown {
  if (list.length === 0) return changed(random, list)
  const index = random.below(list.length)
  const item = list[index]
  if (random.chance(0.1)) return [...list, item]
  return list.with(index, changeSomewhere(random, item))
}

function changed(random: Random, value: unknown): unknown {
  switch (random.below(6)) {
    case 0: {
      let nested = value
      for (let left = random.below(60); left > 0; left--) nested = random.chance(0.5) ? [nested] : { arrayValue: { values: [nested] } }
      return nested
    }
    case 1:
      return typeof value === 'string' ? value.repeat(random.below(50)) : [value, value]
    case 2:
      return typeof value === 'string' ? value.slice(random.below(value.length + 1)) : (JSON.stringify(value) ?? '')
    default:
      return random.pick(NASTY_VALUES)
  }
}

/** JSON text of a value; a number that JSON has no words for goes in as text. Sometimes with much space, or a number gets too many digits. */
export function jsonText(random: Random, value: unknown): string {
  const text = JSON.stringify(value, null, random.chance(0.1) ? '\t' : '') ?? 'null'
  return random.chance(0.05) ? text.replace(/\d+/, '9'.repeat(1 + random.below(400))) : text
}
