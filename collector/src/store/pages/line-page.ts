import { unpack } from '../pack.ts'
import { CONTENT_NAMES, emptied, withOmitted } from './contents.ts'
import type { BareRow, EventRow, StoredPage } from './stored-page.ts'

// Pages as they were written before migration 11: a line an event, its payload with holes. They are read until their run is packed anew.

// JSON text holds no control characters, so this one stands for a value that lies in `contents`.
const HOLE = '\u0001'
const COMMA = 0x2c

type Head = readonly [seq: number, ts: number, type: string, instance: string | null, origin: string, unknown: string | null, bare: 0 | 1]

/** `bare`: the head holds nothing of what went through the call, else all of it. */
interface Line extends Omit<EventRow, 'payload'> {
  readonly head: string
  readonly bare: boolean
}

function readLines({ heads }: Pick<StoredPage, 'heads'>): readonly Line[] {
  const text = Buffer.from(unpack(heads)).toString('utf8')
  return text.split('\n').map((line) => {
    const tab = line.indexOf('\t')
    const [seq, ts, type, instance_id, origin, unknown_fields, bare] = JSON.parse(line.slice(0, tab)) as Head
    return { seq, ts, type, instance_id, origin, unknown_fields, bare: bare === 1, head: line.slice(tab + 1) }
  })
}

/** The page's events as they were. */
export function readLinePage(page: StoredPage): readonly EventRow[] {
  const values = Buffer.from(unpack(page.contents)).toString('utf8').split('\n')
  let next = 0
  return readLines(page).map(({ head, bare: _bare, ...row }) => {
    if (!head.includes(HOLE)) return { ...row, payload: head }
    const [first = '', ...rest] = head.split(HOLE)
    return { ...row, payload: first + rest.map((piece) => `${values[next++]}${piece}`).join('') }
  })
}

/** The same without what went through the calls. */
export function readBareLines(page: Pick<StoredPage, 'heads'>): readonly BareRow[] {
  return readLines(page).map((line) => {
    const { seq, ts, type, instance_id, unknown_fields, bare, head } = line
    const payload = bare ? withoutHoles(head) : emptied({ seq, ts, type, payload: head })
    return { seq, ts, type, instance_id, payload, unknown_fields }
  })
}

/** The holes say where to cut: the members between them are not looked at. */
function withoutHoles(head: string): string {
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
