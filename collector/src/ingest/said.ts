import { IDENTITY_FIELDS } from '@graphmind-ai/schema'
import { digest, jsonOf } from './outbox.ts'

/** What events said of an instance and still holds, by field: the JSON text of a short value, a digest of a long one. */
export type Said = { readonly [field: string]: string }

export type Fields = { readonly [name: string]: unknown }

/** JSON text by field. */
export type Texts = { readonly [name: string]: string }

const MAX_TEXT = 48

/** Who and where an instance is: said anew as a whole, and never cleared. */
const IDENTITY: ReadonlySet<string> = new Set([...IDENTITY_FIELDS, 'cleared'])

/** What is said with the end of an instance; every other field belongs to its start. */
const OF_END: ReadonlySet<string> = new Set([
  'output',
  'usage',
  'usageIsSum',
  'durationMs',
  'status',
  'error',
  'heldMs',
  'injected',
  'finishReason',
  'firstTokenMs',
  'endTimeUnixNano',
])

export type Part = 'start' | 'end'

/** The fields that an extra of a dialect may not take the name of. */
export function isReserved(name: string): boolean {
  return IDENTITY.has(name) || OF_END.has(name)
}

export interface Difference {
  /** Fields that were not said, or were said with another value. */
  readonly changed: Fields
  /** JSON texts of what changed, to be written as they are. */
  readonly texts: Texts
  /** Names of fields that were said and hold no longer. */
  readonly cleared: readonly string[]
  readonly said: Said
}

/** What there is to say so that these fields, and of this part no others, hold. Fields that are undefined count as absent. */
export function difference(said: Said, fields: Fields, part: Part): Difference {
  const now: { [field: string]: string } = {}
  const changed: { [field: string]: unknown } = {}
  const texts: { [field: string]: string } = {}
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value === undefined) continue
    const text = jsonOf(value)
    const mark = markOf(text)
    now[name] = mark
    if (said[name] === mark) continue
    changed[name] = value
    texts[name] = text
  }
  const cleared: string[] = []
  for (const name of Object.keys(said)) {
    const mark = said[name]
    if (mark === undefined) continue
    if (partOf(name) !== part) now[name] = mark
    else if (now[name] === undefined) cleared.push(name)
  }
  return { changed, texts, cleared, said: now }
}

/** What holds after an event with this payload, read back from the store. */
export function saidAfter(said: Said, payload: Fields): Said {
  const now: { [field: string]: string } = { ...withoutCleared(said, payload['cleared']) }
  for (const [name, value] of Object.entries(payload)) if (!IDENTITY.has(name)) now[name] = markOf(jsonOf(value))
  return now
}

function withoutCleared(said: Said, cleared: unknown): Said {
  if (!Array.isArray(cleared)) return said
  if (cleared.includes('*')) return {}
  const kept = (name: string) => !cleared.includes(name) && !(cleared.includes('status') && name !== 'error' && OF_END.has(name))
  return Object.fromEntries(Object.entries(said).filter(([name]) => kept(name)))
}

function partOf(name: string): Part {
  return OF_END.has(name) ? 'end' : 'start'
}

function markOf(text: string): string {
  return text.length <= MAX_TEXT ? text : digest(text)
}

/** Who and where an instance is, as one text to compare. */
export function identityText(...parts: readonly unknown[]): string {
  return parts.join('\n')
}
