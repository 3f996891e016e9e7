import { pack, unpack } from '../pack.ts'
import type { EventsTable } from '../tables.ts'
import { membersOf } from './members.ts'

export type EventRow = Omit<EventsTable, 'run'>

/** Events as they are kept together: what they hold beside them, so that who draws a run need not inflate what went through it. */
export interface EventPage {
  readonly heads: Uint8Array
  readonly contents: Uint8Array
}

/** Payload fields that hold what went in and out of calls. */
const CONTENT_NAMES = ['input', 'output', 'logged'] as const
const CONTENTS: ReadonlySet<string> = new Set(CONTENT_NAMES)
/** Facts with a value inside, and streamed text: an event with one of these is kept whole. */
const BOXES: ReadonlySet<string> = new Set(['injected', 'edited', 'deltas'])
// JSON text holds no control characters, so this one stands for a value that lies in `contents`.
const HOLE = '\u0001'
const COMMA = 0x2c

type Head = readonly [seq: number, ts: number, type: string, instance: string | null, origin: string, unknown: string | null, bare: 0 | 1]

/** An event of a page. `bare`: its head holds nothing of what went through the call, else all of it. */
export interface PagedEvent extends Omit<EventRow, 'payload'> {
  readonly head: string
  readonly bare: boolean
}

export function writeEventPage(rows: readonly EventRow[]): EventPage {
  const heads: string[] = []
  const contents: string[] = []
  for (const { seq, ts, type, instance_id, origin, payload, unknown_fields } of rows) {
    const { text, bare } = withHoles(payload, contents)
    heads.push(`${JSON.stringify([seq, ts, type, instance_id, origin, unknown_fields, bare ? 1 : 0] satisfies Head)}\t${text}`)
  }
  return { heads: pack(Buffer.from(heads.join('\n'))), contents: pack(Buffer.from(contents.join('\n'))) }
}

/** Takes contents out of a payload, to the letter: putting them back gives the same text. All of them or none. */
function withHoles(payload: string, contents: string[]): { readonly text: string; readonly bare: boolean } {
  const members = membersOf(payload)
  if (members.some(({ name }) => BOXES.has(name))) return { text: payload, bare: false }
  let text = ''
  let at = 0
  for (const { name, value, end } of members) {
    if (!CONTENTS.has(name)) continue
    text += payload.slice(at, value) + HOLE
    contents.push(payload.slice(value, end))
    at = end
  }
  return { text: at === 0 ? payload : text + payload.slice(at), bare: true }
}

/** The page's events without what went through the calls. */
export function readHeads({ heads }: Pick<EventPage, 'heads'>): readonly PagedEvent[] {
  const text = Buffer.from(unpack(heads)).toString('utf8')
  return text.split('\n').map((line) => {
    const tab = line.indexOf('\t')
    const [seq, ts, type, instance_id, origin, unknown_fields, bare] = JSON.parse(line.slice(0, tab)) as Head
    return { seq, ts, type, instance_id, origin, unknown_fields, bare: bare === 1, head: line.slice(tab + 1) }
  })
}

/** The page's events as they were. */
export function readEventPage(page: EventPage): readonly EventRow[] {
  const values = Buffer.from(unpack(page.contents)).toString('utf8').split('\n')
  let next = 0
  return readHeads(page).map(({ head, bare: _bare, ...row }) => {
    if (!head.includes(HOLE)) return { ...row, payload: head }
    const [first = '', ...rest] = head.split(HOLE)
    return { ...row, payload: first + rest.map((piece) => `${values[next++]}${piece}`).join('') }
  })
}

/**
 * The payload without what went through the call, as the hub has it; `omitted` names what was left out. Undefined for an event with values
 * elsewhere in it, which has to be read.
 */
export function withoutContents(payload: string): string | undefined {
  const members = membersOf(payload)
  if (members.some(({ name }) => BOXES.has(name))) return undefined
  const omitted = CONTENT_NAMES.filter((wanted) => members.some(({ name }) => name === wanted))
  if (omitted.length === 0) return payload
  const kept = members.filter(({ name }) => !CONTENTS.has(name)).map(({ from, end }) => payload.slice(from, end))
  return withOmitted(`{${kept.join(',')}`, omitted)
}

/** The same of an event in a page, whose holes say where to cut: the members between them are not looked at. */
export function withoutHoles({ head, bare }: PagedEvent): string | undefined {
  if (!bare) return undefined
  let hole = head.indexOf(HOLE)
  if (hole < 0) return head
  const found: string[] = []
  let kept = ''
  let at = 0
  for (; hole >= 0; hole = head.indexOf(HOLE, at)) {
    const until = hole
    const name = CONTENT_NAMES.find((content) => head.endsWith(`"${content}":`, until)) ?? ''
    found.push(name)
    kept += head.slice(at, hole - name.length - 3)
    at = head.charCodeAt(hole + 1) === COMMA ? hole + 2 : hole + 1
  }
  kept += head.slice(at, -1)
  return withOmitted(
    kept.endsWith(',') ? kept.slice(0, -1) : kept,
    CONTENT_NAMES.filter((name) => found.includes(name)),
  )
}

/** Ends an object that is open still. */
function withOmitted(open: string, omitted: readonly string[]): string {
  return `${open}${open === '{' ? '' : ','}"omitted":${JSON.stringify(omitted)}}`
}
