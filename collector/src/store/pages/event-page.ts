import { pack, unpack } from '../pack.ts'
import type { EventsTable } from '../tables.ts'

export type EventRow = Omit<EventsTable, 'run'>

/** Events as they are kept together: what they hold beside them, so that who draws a run need not inflate what went through it. */
export interface EventPage {
  readonly heads: Uint8Array
  readonly contents: Uint8Array
}

/** Payload fields that hold what went in and out of calls. */
const CONTENTS = ['input', 'output', 'logged'] as const
/** Facts with a value inside, and streamed text: an event with one of these is kept whole. */
const BOXES = ['injected', 'edited', 'deltas'] as const
// JSON text holds no control characters, so this one stands for a value that lies in `contents`.
const HOLE = '\u0001'

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
  const fields = JSON.parse(payload) as { readonly [name: string]: unknown }
  const whole = { text: payload, bare: false }
  if (BOXES.some((name) => fields[name] !== undefined)) return whole
  let text = payload
  const holes: { readonly member: string; readonly json: string }[] = []
  for (const name of CONTENTS) {
    if (fields[name] === undefined) continue
    const json = JSON.stringify(fields[name])
    const member = `"${name}":${json}`
    const at = text.indexOf(member)
    // The same words may stand further inside, too.
    if (at < 0 || text.indexOf(member, at + 1) >= 0) return whole
    holes.push({ member: `"${name}":${HOLE}`, json })
    text = `${text.slice(0, at)}"${name}":${HOLE}${text.slice(at + member.length)}`
  }
  // In the order in which the holes stand in the text, not in that of the names.
  holes.sort((one, other) => text.indexOf(one.member) - text.indexOf(other.member))
  contents.push(...holes.map(({ json }) => json))
  return { text, bare: true }
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

/** The payload of a bare event as a viewer without payloads gets it: `omitted` names what was left out. */
export function withoutContents(head: string): string {
  const omitted: string[] = []
  let text = head
  for (const name of CONTENTS) {
    const member = `"${name}":${HOLE}`
    const at = text.indexOf(member)
    if (at < 0) continue
    omitted.push(name)
    const end = at + member.length
    // With the comma behind it, else the one before it.
    if (text[end] === ',') text = text.slice(0, at) + text.slice(end + 1)
    else text = text.slice(0, text[at - 1] === ',' ? at - 1 : at) + text.slice(end)
  }
  if (omitted.length === 0) return head
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"omitted":${JSON.stringify(omitted)}}`
}

/** Whether a payload may hold something of what went through the call; true may be too much. */
export function mayHoldContents(payload: string): boolean {
  return [...CONTENTS, ...BOXES].some((name) => payload.includes(`"${name}":`))
}
