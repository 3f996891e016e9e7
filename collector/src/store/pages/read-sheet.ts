import { unpack } from '../pack.ts'
import { BOXES, CONTENT_NAMES, emptied, withOmitted } from './contents.ts'
import { itemsOf } from './members.ts'
import { BETWEEN, type Mark, textOf } from './sheet-text.ts'
import { type BareRow, type EventRow, KEPT_SHEET, type StoredPage, type WantedEvents } from './stored-page.ts'

/** The text of an object whose values differ between rows: the pieces around them, and for each the item of the row that it is. */
interface Template {
  readonly pieces: readonly string[]
  readonly items: readonly number[]
  /** How many of them are values of `contents`. */
  readonly contents: number
}

/** Stands in a template for the next value of `contents`. */
const CONTENT = -1
/** Items of a row before its values: shape and time. */
const VALUES_FROM = 2

interface ReadShape {
  readonly type: string
  /** What went through the call lies in `contents` alone. */
  readonly bare: boolean
  readonly whole: Template
  readonly without: Template
  /** The instance that all rows are about, or the item that names it. */
  readonly instance: string | null | number
}

/** A column with the text that it has in all rows, or the item of the row. */
interface Column {
  readonly name: string
  readonly value: string | number
}

/** A shape from its text. */
export function readShape(text: string): ReadShape {
  const [typeText = '""', columnsText] = itemsOf(text)
  const type = String(JSON.parse(typeText))
  if (columnsText === undefined) {
    const payload = { pieces: ['', ''], items: [VALUES_FROM], contents: 0 }
    return { type, bare: false, whole: payload, without: payload, instance: null }
  }
  const columns = readColumns(columnsText)
  const kept = columns.filter(({ value }) => value !== CONTENT)
  const omitted = CONTENT_NAMES.filter((content) => columns.some(({ name, value }) => value === CONTENT && name === content))
  const instance = kept.find(({ name }) => name === 'instanceId')?.value
  return {
    type,
    bare: !columns.some(({ name }) => BOXES.has(name)),
    whole: templateOf(columns, (object) => object),
    without: templateOf(kept, (object) => (omitted.length === 0 ? object : withOmitted(object.slice(0, -1), omitted))),
    instance: typeof instance === 'string' ? textOf(instance) : (instance ?? null),
  }
}

function readColumns(text: string): readonly Column[] {
  let item = VALUES_FROM
  const columns: Column[] = []
  for (const column of itemsOf(text)) {
    const [nameText = '', constant, sameAs] = column.startsWith('[') ? itemsOf(column) : [column]
    const name = nameText.slice(1, -1)
    if (!column.startsWith('[')) columns.push({ name, value: CONTENT })
    else if (sameAs !== undefined) columns.push({ name, value: columns.find((other) => other.name === sameAs.slice(1, -1))?.value ?? '' })
    else columns.push({ name, value: constant ?? item++ })
  }
  return columns
}

function templateOf(columns: readonly Column[], ended: (lastPiece: string) => string): Template {
  const pieces: string[] = []
  const items: number[] = []
  let piece = '{'
  for (const [at, { name, value }] of columns.entries()) {
    piece += `${at === 0 ? '' : ','}"${name}":`
    if (typeof value === 'string') piece += value
    else {
      pieces.push(piece)
      items.push(value)
      piece = ''
    }
  }
  return { pieces: [...pieces, ended(`${piece}}`)], items, contents: items.filter((item) => item === CONTENT).length }
}

interface ReadSheet {
  readonly seq: number
  readonly ts: number
  readonly shapes: readonly ReadShape[]
  /** Each the text of a row. */
  readonly rows: readonly string[]
}

function readHead(heads: Uint8Array): ReadSheet {
  const text = Buffer.from(heads).toString('utf8')
  const [head = '', ...lines] = text.split('\n')
  const { seq, ts, shapes } = readHeadLine(head)
  return { seq, ts, shapes: shapes.map(readShape), rows: lines.slice(0, -1) }
}

/** What stands before the rows of a sheet, in the first line of its heads; its shapes each as their text. */
export function readHeadLine(line: string): { readonly seq: number; readonly ts: number; readonly shapes: readonly string[] } {
  const [, seq, ts] = /^"seq":(-?\d+),"ts":(-?\d+),"shapes":/.exec(line) ?? []
  return { seq: Number(seq), ts: Number(ts), shapes: itemsOf(line, line.indexOf('"shapes":') + 9) }
}

/** The page's events as they were, to the letter; with `wanted`, of a sheet without marks of instances, at least those. */
export function readSheetPage(page: StoredPage, wanted?: WantedEvents): readonly EventRow[] {
  const { seq: first, ts, shapes, rows } = readHead(unpack(page.heads))
  const mayBeWanted = wanted === undefined ? () => true : chooser(shapes, wanted)
  let marks: readonly Mark[] | undefined
  let contents: readonly string[] | undefined
  let content = 0
  const events: EventRow[] = []
  for (const [index, row] of rows.entries()) {
    const shape = Number(row.slice(1, row.indexOf(',')))
    const { type, whole, instance } = shapes[shape] as ReadShape
    if (!mayBeWanted(shape, row)) {
      content += whole.contents
      continue
    }
    marks ??= readMarks(page.marks)
    contents ??= Buffer.from(unpack(page.contents)).toString('utf8').split(BETWEEN)
    const items = itemsOf(row)
    let payload = whole.pieces[0] ?? ''
    for (let at = 0; at < whole.items.length; at++) {
      const item = whole.items[at] ?? CONTENT
      payload += `${item === CONTENT ? contents[content++] : items[item]}${whole.pieces[at + 1]}`
    }
    const [origin = '', marked = 0, unknown = 0, seq = first + index] = marks[index] ?? []
    const instance_id = marked === 0 ? instanceOf(instance, items) : marked
    const unknown_fields = unknown === 0 ? null : unknown
    events.push({ seq, ts: ts + Number(items[1]), type, instance_id, origin, payload, unknown_fields })
  }
  return events
}

/** Whether a row may be of a wanted event, by its shape and, where the row names the instance, by its text. */
function chooser(shapes: readonly ReadShape[], { instances, types }: WantedEvents): (shape: number, row: string) => boolean {
  const names = [...instances].map((id) => JSON.stringify(id))
  const byShape = shapes.map(({ type, instance }) => {
    if (types.has(type)) return true
    return typeof instance === 'number' ? undefined : instance !== null && instances.has(instance)
  })
  return (shape, row) => byShape[shape] ?? names.some((name) => row.includes(name))
}

/** The same without what went through the calls. */
export function readBareSheet(page: Omit<StoredPage, 'contents'>): readonly BareRow[] {
  const { seq: first, ts, shapes, rows } = readHead(unpack(page.heads))
  // In the other forms they say nothing that is asked for here.
  const marks = page.form === KEPT_SHEET ? readMarks(page.marks) : []
  return rows.map((row, index) => {
    const items = itemsOf(row)
    const { type, bare, without, instance } = shapes[Number(items[0])] as ReadShape
    let payload = without.pieces[0] ?? ''
    for (let at = 0; at < without.items.length; at++) payload += `${items[without.items[at] ?? 0]}${without.pieces[at + 1]}`
    const [, marked = 0, unknown = 0, seq = first + index] = marks[index] ?? []
    const instance_id = marked === 0 ? instanceOf(instance, items) : marked
    const event = { seq, ts: ts + Number(items[1]), type, instance_id, payload, unknown_fields: unknown === 0 ? null : unknown }
    return bare ? event : { ...event, payload: emptied(event) }
  })
}

function instanceOf(instance: ReadShape['instance'], items: readonly string[]): string | null {
  return typeof instance === 'number' ? textOf(items[instance]) : instance
}

function readMarks(marks: Uint8Array | null): readonly Mark[] {
  if (marks === null) return []
  return Buffer.from(unpack(marks))
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as Mark)
}
