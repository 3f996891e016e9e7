import { ok, type Result } from '../../problem.ts'
import { readJson } from '../read-json.ts'
import { readResource } from '../read-span.ts'
import { type ResourceCut, type Slice, TraceCuts } from '../trace-cuts.ts'
import { appOf, type SplitRequest } from '../trace-part.ts'
import { outlineOf, type ResourceOutline, type ScopeOutline } from './outline.ts'

/**
 * Cuts an OTLP trace request in JSON into a request for each trace, by copying bytes, in whatever spelling they came. Spans are checked as
 * far as `readSpan` may refuse them; a broken one is only counted.
 */
export function splitJsonTraces(bytes: Uint8Array): Result<SplitRequest> {
  const outline = outlineOf(bytes)
  if (!outline.ok) return outline
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const cuts = new TraceCuts<ResourceOutline, ScopeOutline>()
  for (const resource of outline.value) {
    const app = appNamed(text, resource)
    for (const scope of resource.scopes) {
      for (const { from, end, checked } of scope.spans) {
        if (checked.ok) cuts.add(checked.value, app, { from, end, resource, scope })
        else cuts.rejected.add(checked.problem.message)
      }
    }
  }
  return ok(cuts.split('json', bytes, (parts) => joined(text, parts)))
}

function appNamed(text: Buffer, { resource }: ResourceOutline): string {
  const json = resource === null ? undefined : readJson(text.toString('utf8', resource.from, resource.end))
  return json?.ok === true ? appOf(readResource(json.value, undefined)) : ''
}

type Cuts = readonly ResourceCut<ResourceOutline, ScopeOutline>[]

const OPEN = Buffer.from('{')
const CLOSE = Buffer.from(']}')
const COMMA = Buffer.from(',')

/** The request that holds just these spans, in their order. */
function joined(text: Buffer, cuts: Cuts): Uint8Array {
  const named = (name: string, slice: Slice | null) =>
    slice === null ? [] : [Buffer.from(`"${name}":`), text.subarray(slice.from, slice.end), COMMA]
  const scopeSpans = ({ scope, spans }: Cuts[number]['scopes'][number]) =>
    object(
      [...named('scope', scope.scope), ...named('schemaUrl', scope.schemaUrl)],
      'spans',
      runsOf(spans).map(({ from, end }) => [text.subarray(from, end)]),
    )
  const resourceSpans = ({ resource, scopes }: Cuts[number]) =>
    object([...named('resource', resource.resource), ...named('schemaUrl', resource.schemaUrl)], 'scopeSpans', scopes.map(scopeSpans))
  return Buffer.concat(object([], 'resourceSpans', cuts.map(resourceSpans)))
}

/** An object of these fields, each with a comma behind it, and of a list. */
function object(fields: readonly Uint8Array[], listName: string, entries: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  const list = entries.flatMap((entry, index) => (index === 0 ? entry : [COMMA, ...entry]))
  return [OPEN, ...fields, Buffer.from(`"${listName}":[`), ...list, CLOSE]
}

/** Spans with nothing but a comma between them, as most writers have it, are copied in one go. */
function runsOf(spans: readonly Slice[]): readonly Slice[] {
  const runs: Slice[] = []
  for (const span of spans) {
    const last = runs.at(-1)
    if (last !== undefined && span.from === last.end + 1) runs[runs.length - 1] = { from: last.from, end: span.end }
    else runs.push(span)
  }
  return runs
}
