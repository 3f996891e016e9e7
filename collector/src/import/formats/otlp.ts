import type { OtlpResource, OtlpScope } from '../../otlp/otlp-json.ts'
import { readResource, readScope, readSpan } from '../../otlp/read-span.ts'
import { type Fields, pick } from '../../otlp/read-value.ts'
import { ok } from '../../problem.ts'
import type { Frame, Leaf } from '../leaf.ts'
import type { TraceFormat } from './format.ts'

const SCOPE_GROUPS: ReadonlySet<string | undefined> = new Set([
  'scopeSpans',
  'scope_spans',
  'instrumentationLibrarySpans',
  'instrumentation_library_spans',
])

/** OTLP/JSON in all its spellings: whole documents, groups or bare spans, on their own or inside an API's answer. */
export const otlp: TraceFormat = {
  name: 'OTLP/JSON',

  claims(fields, leaf) {
    const hasId = pick(fields, 'spanId', 'span_id') !== undefined || isSpanOfGroup(leaf)
    const attributes = fields['attributes']
    const isList = attributes === undefined || attributes === null || Array.isArray(attributes)
    return hasId && isList && (isSpanOfGroup(leaf) || pick(fields, 'startTimeUnixNano', 'start_time_unix_nano') !== undefined)
  },

  waitsFor(leaf, patient) {
    const { scope, resource } = groupsOf(leaf)
    if (scope !== undefined && !scope.closed && (patient || scopeOf(scope) === undefined)) return scope
    return resource !== undefined && !resource.closed && (patient || resource.fields['resource'] === undefined) ? resource : undefined
  },

  read(fields, leaf) {
    const span = readSpan(fields)
    if (!span.ok) return span
    return ok({ kind: 'spans', spans: [{ span: span.value, ...surroundingsOf(fields, leaf) }] })
  },
}

function isSpanOfGroup({ name, parent }: Leaf): boolean {
  return name === 'spans' && parent !== undefined && (SCOPE_GROUPS.has(parent.name) || scopeOf(parent) !== undefined)
}

interface Groups {
  readonly scope: Frame | undefined
  readonly resource: Frame | undefined
}

function groupsOf({ name, parent }: Leaf): Groups {
  const scope = name === 'spans' ? parent : undefined
  return { scope, resource: SCOPE_GROUPS.has(scope?.name) ? scope?.parent : undefined }
}

function scopeOf(group: Frame): unknown {
  return group.fields['scope'] ?? pick(group.fields, 'instrumentationLibrary', 'instrumentation_library')
}

const resources = new WeakMap<Frame, OtlpResource>()
const scopes = new WeakMap<Frame, OtlpScope>()

/** The same objects for all spans of a group, which is what their readers cache by. */
function surroundingsOf(fields: Fields, leaf: Leaf): { readonly resource: OtlpResource; readonly scope: OtlpScope } {
  const groups = groupsOf(leaf)
  const own = { resource: fields['resource'], scope: fields['scope'] }
  return {
    resource: remembered(resources, own.resource === undefined ? groups.resource : undefined, (group) =>
      readResource(own.resource ?? group?.fields['resource'], schemaUrlOf(group)),
    ),
    scope: remembered(scopes, own.scope === undefined ? groups.scope : undefined, (group) =>
      readScope(own.scope ?? (group === undefined ? undefined : scopeOf(group)), schemaUrlOf(group)),
    ),
  }
}

function schemaUrlOf(group: Frame | undefined): unknown {
  return group === undefined ? undefined : pick(group.fields, 'schemaUrl', 'schema_url')
}

function remembered<Value>(known: WeakMap<Frame, Value>, group: Frame | undefined, read: (group: Frame | undefined) => Value): Value {
  const found = group === undefined ? undefined : known.get(group)
  if (found !== undefined) return found
  const value = read(group)
  if (group !== undefined) known.set(group, value)
  return value
}
