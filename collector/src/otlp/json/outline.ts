import { ok, type Result } from '../../problem.ts'
import { NOT_JSON } from '../read-json.ts'
import { checkSpan } from '../read-span.ts'
import type { Slice } from '../trace-cuts.ts'
import type { CheckedSpan } from '../trace-part.ts'
import { BrokenText, JsonCursor } from './cursor.ts'
import { FieldNames } from './field-names.ts'
import { notAList, notARequest } from './read-groups.ts'
import { SPAN_NAMES } from './signal-names.ts'

// A request as far as it has to be known to be cut, in whatever spelling it came. Of a field that came twice the last stands, and one that
// is null counts as absent, as when the whole is parsed.

/** A value that stays where it is; null for one that is absent. */
type Kept = Slice | null

export interface ResourceOutline {
  readonly resource: Kept
  readonly schemaUrl: Kept
  readonly scopes: readonly ScopeOutline[]
}

export interface ScopeOutline {
  readonly scope: Kept
  readonly schemaUrl: Kept
  readonly spans: readonly SpanOutline[]
}

export interface SpanOutline extends Slice {
  readonly checked: Result<CheckedSpan>
}

/** Finds the spans of an OTLP trace request in JSON, and checks the text to its end. */
export function outlineOf(bytes: Uint8Array): Result<readonly ResourceOutline[]> {
  try {
    return read(new JsonCursor(bytes))
  } catch (error) {
    if (error instanceof BrokenText) return NOT_JSON
    throw error
  }
}

function read(cursor: JsonCursor): Result<readonly ResourceOutline[]> {
  const request = fieldsOf(cursor, REQUEST)
  if (!cursor.isAtEnd) return NOT_JSON
  if (request === undefined) return notARequest(SPAN_NAMES)
  const groups = request.resourceSpans ?? request.resource_spans ?? request.batches ?? []
  return isList(groups) ? ok(groups) : notAList(SPAN_NAMES)
}

type Readers = { readonly [name: string]: (cursor: JsonCursor) => unknown }

/** The fields of an object that something is made of, and what reads each. */
class FieldTable<Known extends Readers> {
  readonly names: FieldNames
  readonly readers: Known

  constructor(readers: Known) {
    this.readers = readers
    this.names = new FieldNames(Object.keys(readers))
  }
}

type Read<Known extends Readers> = { [Name in keyof Known]?: ReturnType<Known[Name]> }

/** The object that the cursor is at, as far as the table knows its fields; undefined for anything else. Both are passed over. */
function fieldsOf<Known extends Readers>(cursor: JsonCursor, { names, readers }: FieldTable<Known>): Read<Known> | undefined {
  if (!cursor.isAtObject) {
    cursor.skip()
    return undefined
  }
  const fields: { [name: string]: unknown } = {}
  for (let more = cursor.enter(); more; more = cursor.nextField()) {
    const name = cursor.field(names)
    const reader = name === undefined ? undefined : readers[name]
    if (name === undefined || reader === undefined) cursor.skip()
    else fields[name] = reader(cursor)
  }
  return fields as Read<Known>
}

const listOf =
  <Item>(readEntry: (cursor: JsonCursor) => Item | undefined) =>
  (cursor: JsonCursor): readonly Item[] | Kept => {
    if (!cursor.isAtList) return kept(cursor)
    const entries: Item[] = []
    for (let more = cursor.enter(); more; more = cursor.nextEntry()) {
      const entry = readEntry(cursor)
      if (entry !== undefined) entries.push(entry)
    }
    return entries
  }

function isList<Item>(read: readonly Item[] | Kept): read is readonly Item[] {
  return Array.isArray(read)
}

function entriesOf<Item>(read: readonly Item[] | Kept | undefined): readonly Item[] {
  return read !== undefined && isList(read) ? read : []
}

function kept(cursor: JsonCursor): Kept {
  const isNull = cursor.isAtNull
  const slice = cursor.slice()
  return isNull ? null : slice
}

const value = (cursor: JsonCursor) => cursor.value()

/** Of attributes it only matters that they are a list. */
function attributes(cursor: JsonCursor): unknown {
  if (!cursor.isAtList) return cursor.value()
  cursor.skip()
  return NO_ATTRIBUTES
}

const NO_ATTRIBUTES: readonly unknown[] = []

const STATUS = new FieldTable({ code: value })

/** What `checkSpan` looks at. */
const SPAN = new FieldTable({
  traceId: value,
  trace_id: value,
  spanId: value,
  span_id: value,
  parentSpanId: value,
  parent_span_id: value,
  flags: value,
  name: value,
  startTimeUnixNano: value,
  start_time_unix_nano: value,
  endTimeUnixNano: value,
  end_time_unix_nano: value,
  attributes,
  status: (cursor: JsonCursor) => fieldsOf(cursor, STATUS),
})

function spanOf(cursor: JsonCursor): SpanOutline {
  const from = cursor.next
  const checked = checkSpan(fieldsOf(cursor, SPAN))
  return { from, end: cursor.at, checked }
}

const SCOPE = new FieldTable({
  scope: kept,
  instrumentationLibrary: kept,
  instrumentation_library: kept,
  schemaUrl: kept,
  schema_url: kept,
  spans: listOf(spanOf),
})

function scopeOf(cursor: JsonCursor): ScopeOutline | undefined {
  const fields = fieldsOf(cursor, SCOPE)
  if (fields === undefined) return undefined
  return {
    scope: fields.scope ?? fields.instrumentationLibrary ?? fields.instrumentation_library ?? null,
    schemaUrl: fields.schemaUrl ?? fields.schema_url ?? null,
    spans: entriesOf(fields.spans),
  }
}

const scopes = listOf(scopeOf)
const RESOURCE = new FieldTable({
  resource: kept,
  schemaUrl: kept,
  schema_url: kept,
  scopeSpans: scopes,
  scope_spans: scopes,
  instrumentationLibrarySpans: scopes,
  instrumentation_library_spans: scopes,
})

function resourceOf(cursor: JsonCursor): ResourceOutline | undefined {
  const fields = fieldsOf(cursor, RESOURCE)
  if (fields === undefined) return undefined
  return {
    resource: fields.resource ?? null,
    schemaUrl: fields.schemaUrl ?? fields.schema_url ?? null,
    scopes: [
      ...entriesOf(fields.scopeSpans ?? fields.scope_spans),
      ...entriesOf(fields.instrumentationLibrarySpans ?? fields.instrumentation_library_spans),
    ],
  }
}

const resources = listOf(resourceOf)
const REQUEST = new FieldTable({ resourceSpans: resources, resource_spans: resources, batches: resources })
