import { ok, type Result } from '../problem.ts'
import { resourceGroupsOf, scopeGroupsOf } from './read-json-traces.ts'
import { checkSpan, readResource } from './read-span.ts'
import { type Fields, pick } from './read-value.ts'
import { appOf, OutlineBuilder, Rejections, type SplitRequest, type TracePart } from './trace-part.ts'

interface Trace {
  readonly groups: ResourceEntry[]
  readonly outline: OutlineBuilder
  count: number
}

interface ResourceEntry {
  readonly group: Fields
  readonly scopes: { readonly scope: Fields; readonly spans: unknown[] }[]
}

/**
 * Cuts an OTLP trace request in JSON into a request for each trace. What is cut out is written as it came, in whatever spelling. Spans
 * are checked as far as `readSpan` may refuse them; a broken one is only counted.
 */
export function splitJsonTraces(bytes: Uint8Array): Result<SplitRequest> {
  const groups = resourceGroupsOf(bytes)
  if (!groups.ok) return groups
  const traces = new Map<string, Trace>()
  const rejected = new Rejections()
  for (const group of groups.value) {
    const app = appOf(readResource(group['resource'], undefined))
    for (const scope of scopeGroupsOf(group)) {
      const list = scope['spans']
      if (!Array.isArray(list)) continue
      for (const span of list as readonly unknown[]) {
        const checked = checkSpan(span)
        if (!checked.ok) {
          rejected.add(checked.problem.message)
          continue
        }
        const trace = traceOf(traces, checked.value.traceId)
        placeIn(trace, group, scope).push(span)
        trace.count += 1
        trace.outline.add(checked.value, app)
      }
    }
  }
  const isWhole = traces.size === 1 && rejected.count === 0
  return ok({
    parts: [...traces].map(
      ([traceId, { groups: own, outline, count }]): TracePart => ({
        traceId,
        format: 'json',
        bytes: isWhole ? bytes : Buffer.from(JSON.stringify({ resourceSpans: own.map(resourceSpans) })),
        spanCount: count,
        outline: outline.build(),
      }),
    ),
    rejectedCount: rejected.count,
    reasons: rejected.reasons,
  })
}

function traceOf(traces: Map<string, Trace>, traceId: string): Trace {
  const known = traces.get(traceId)
  if (known !== undefined) return known
  const trace: Trace = { groups: [], outline: new OutlineBuilder(), count: 0 }
  traces.set(traceId, trace)
  return trace
}

/** The list that the trace's spans of this group go to. */
function placeIn({ groups }: Trace, group: Fields, scope: Fields): unknown[] {
  let entry = groups.at(-1)
  if (entry?.group !== group) {
    entry = { group, scopes: [] }
    groups.push(entry)
  }
  let last = entry.scopes.at(-1)
  if (last?.scope !== scope) {
    last = { scope, spans: [] }
    entry.scopes.push(last)
  }
  return last.spans
}

function resourceSpans({ group, scopes }: ResourceEntry): object {
  return { resource: group['resource'], schemaUrl: pick(group, 'schemaUrl', 'schema_url'), scopeSpans: scopes.map(scopeSpans) }
}

function scopeSpans({ scope, spans }: ResourceEntry['scopes'][number]): object {
  return {
    scope: scope['scope'] ?? pick(scope, 'instrumentationLibrary', 'instrumentation_library'),
    schemaUrl: pick(scope, 'schemaUrl', 'schema_url'),
    spans,
  }
}
