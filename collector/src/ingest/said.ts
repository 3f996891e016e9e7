import { digest, toJson } from './outbox.ts'

/** What events said of an instance and still holds, by field: the JSON text of a short value, a digest of a long one. */
export type Said = { readonly [field: string]: string }

export type Fields = { readonly [name: string]: unknown }

const MAX_TEXT = 48

/** Who and where an instance is: said anew as a whole, and never cleared. */
const IDENTITY: ReadonlySet<string> = new Set([
  'nodeId',
  'parentId',
  'kind',
  'name',
  'instanceId',
  'parentInstanceId',
  'aliasOf',
  'traceId',
  'spanId',
  'derived',
  'startTimeUnixNano',
  'cleared',
])

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
  /** Names of fields that were said and hold no longer. */
  readonly cleared: readonly string[]
  readonly said: Said
}

/** What there is to say so that these fields, and of this part no others, hold. Fields that are undefined count as absent. */
export function difference(said: Said, fields: Fields, part: Part): Difference {
  const now: { [field: string]: string } = {}
  const changed: { [field: string]: unknown } = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const mark = markOf(value)
    now[name] = mark
    if (said[name] !== mark) changed[name] = value
  }
  const cleared: string[] = []
  for (const [name, mark] of Object.entries(said)) {
    if (partOf(name) !== part) now[name] = mark
    else if (now[name] === undefined) cleared.push(name)
  }
  return { changed, cleared, said: now }
}

/** What holds after an event with this payload, read back from the store. */
export function saidAfter(said: Said, payload: Fields): Said {
  const now: { [field: string]: string } = { ...withoutCleared(said, payload['cleared']) }
  for (const [name, value] of Object.entries(payload)) if (!IDENTITY.has(name)) now[name] = markOf(value)
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

function markOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = toJson({ value })
  return text.length <= MAX_TEXT ? text : digest(text)
}
