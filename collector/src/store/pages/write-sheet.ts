import { pack } from '../pack.ts'
import { BOXES, CONTENTS } from './contents.ts'
import { type Member, membersOf } from './members.ts'
import { BETWEEN, type Mark, textOf } from './sheet-text.ts'
import { type BareRow, type EventRow, KEPT_SHEET, SHEET, type StoredPage, WHOLE_SHEET } from './stored-page.ts'

interface DraftShape {
  readonly index: number
  readonly type: string
  /** Undefined for a payload that is kept whole. */
  readonly names: readonly string[] | undefined
  readonly hasContents: boolean
  /** The text of each column that is the same in all rows so far. */
  readonly constants: (string | undefined)[]
  /** The column before each that has the same text in all rows so far. */
  readonly twins: (number | undefined)[]
}

interface DraftRow {
  readonly shape: DraftShape
  readonly ts: number
  readonly values: readonly string[]
}

/** Writes events as the sheet that viewers read (`Sheet` in the schema), compressed, what went through the calls apart. */
export function writeEventPage(rows: readonly EventRow[]): StoredPage {
  const { drafts, heads, contents } = sheetOf(rows)
  const first = rows[0]?.seq ?? 0
  const marks = rows.map((row, index) => markOf(row, drafts[index] as DraftRow, first + index))
  return {
    form: formOf(first, marks, drafts),
    heads: pack(Buffer.from(heads)),
    contents: pack(Buffer.from(contents)),
    marks: pack(Buffer.from(marks.map((mark) => JSON.stringify(mark)).join('\n'))),
  }
}

/** The members of a sheet of these events as JSON, to be sent at once; undefined when a sheet can't say all of them. */
export function sheetJson(rows: readonly BareRow[]): string | undefined {
  const { drafts, heads, contents } = sheetOf(rows)
  const first = rows[0]?.seq ?? 0
  const marks = rows.map((row, index) => markOf({ ...row, origin: '' }, drafts[index] as DraftRow, first + index))
  if (formOf(first, marks, drafts) === KEPT_SHEET) return undefined
  return contents === '' ? heads : `${heads},"contents":[${contents}]`
}

function sheetOf(rows: readonly BareRow[]): { readonly drafts: readonly DraftRow[]; readonly heads: string; readonly contents: string } {
  const shapes = new Map<string, DraftShape>()
  const drafts = rows.map((row) => draft(row, shapes))
  const { seq, ts } = rows[0] ?? { seq: 0, ts: 0 }
  const contents: string[] = []
  const lines = drafts.map(({ shape, ts: at, values }) => {
    const cells = [shape.index, at - ts, ...cellsOf(shape, values, contents)]
    return `[${cells.join(',')}]`
  })
  const heads = `"seq":${seq},"ts":${ts},"shapes":[${[...shapes.values()].map(shapeText).join(',')}],"rows":[\n${lines.join(BETWEEN)}\n]`
  return { drafts, heads, contents: contents.join(BETWEEN) }
}

/** A sheet says nothing of holes in the numbers, nor of what else needs a mark beside its origin. */
function formOf(seq: number, marks: readonly Mark[], drafts: readonly DraftRow[]): number {
  if (seq < 0 || marks.some(({ length }) => length > 1)) return KEPT_SHEET
  return drafts.every(({ shape: { names } }) => names !== undefined && !names.some((name) => BOXES.has(name))) ? SHEET : WHOLE_SHEET
}

function draft({ type, ts, payload }: BareRow, shapes: Map<string, DraftShape>): DraftRow {
  const members = payload.startsWith('{') ? membersOf(payload) : []
  const last = members.at(-1)
  const isObject = last === undefined ? payload === '{}' : payload.length === last.end + 1
  // The length keeps a type apart from what follows, whatever is in it.
  let key = `${type.length} ${type}`
  // Calls of one node have most in common.
  let node = ''
  for (const { name, value, end } of members) {
    key += `"${name}`
    if (name === 'nodeId') node = payload.slice(value, end)
  }
  key += isObject ? `\n${node}` : '\n\n'
  const known = shapes.get(key)
  if (known !== undefined) {
    const values = known.names === undefined ? [payload] : members.map(({ value, end }) => payload.slice(value, end))
    compare(known, values)
    return { shape: known, ts, values }
  }
  const names = isObject && areRegular(members) ? members.map(({ name }) => name) : undefined
  const values = names === undefined ? [payload] : members.map(({ value, end }) => payload.slice(value, end))
  const shape = firstOf(shapes.size, type, names, values)
  shapes.set(key, shape)
  return { shape, ts, values }
}

function firstOf(index: number, type: string, names: DraftShape['names'], values: readonly string[]): DraftShape {
  const hasContents = names?.some((name) => BOXES.has(name)) !== true
  const twins = values.map((value, at) => {
    const twin = values.indexOf(value)
    return twin < at && !isContent({ hasContents }, names?.[twin] ?? '') ? twin : undefined
  })
  return { index, type, names, hasContents, constants: names === undefined ? [undefined] : [...values], twins }
}

function compare({ constants, twins }: DraftShape, values: readonly string[]): void {
  for (let at = 0; at < values.length; at++) {
    if (constants[at] !== values[at]) constants[at] = undefined
    const twin = twins[at]
    if (twin !== undefined && values[twin] !== values[at]) twins[at] = undefined
  }
}

/** Whether these fields of an object can be named. */
function areRegular(members: readonly Member[]): boolean {
  const names = new Set(members.map(({ name }) => name))
  return names.size === members.length && !names.has('__proto__') && !members.some(({ name }) => name.includes('\\'))
}

const isContent = ({ hasContents }: { readonly hasContents: boolean }, name: string) => hasContents && CONTENTS.has(name)

function cellsOf(shape: DraftShape, values: readonly string[], contents: string[]): readonly string[] {
  const { names, constants, twins } = shape
  if (names === undefined) return values
  return values.filter((value, at) => {
    if (isContent(shape, names[at] ?? '')) {
      contents.push(value)
      return false
    }
    return constants[at] === undefined && twins[at] === undefined
  })
}

function shapeText(shape: DraftShape): string {
  const { type, names, constants, twins } = shape
  if (names === undefined) return `[${JSON.stringify(type)}]`
  const columns = names.map((name, at) => {
    if (isContent(shape, name)) return `"${name}"`
    if (constants[at] !== undefined) return `["${name}",${constants[at]}]`
    const twin = twins[at]
    return twin === undefined ? `["${name}"]` : `["${name}",null,"${names[twin]}"]`
  })
  return `[${JSON.stringify(type)},[${columns.join(',')}]]`
}

function markOf({ seq, origin, instance_id, unknown_fields }: EventRow, { shape, values }: DraftRow, expected: number): Mark {
  const said = textOf(values[shape.names?.indexOf('instanceId') ?? -1])
  const instance = instance_id === said ? 0 : instance_id
  const unknown = unknown_fields ?? 0
  if (seq !== expected) return [origin, instance, unknown, seq]
  if (unknown !== 0) return [origin, instance, unknown]
  return instance === 0 ? [origin] : [origin, instance]
}
