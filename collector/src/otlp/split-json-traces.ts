import { ok, type Result } from '../problem.ts'
import { resourceGroupsOf, scopeGroupsOf } from './read-json-traces.ts'
import { checkSpan, readResource } from './read-span.ts'
import { type Fields, pick } from './read-value.ts'
import { appOf, MAX_PART_SPANS, OutlineBuilder, Rejections, type SplitRequest, type TracePart } from './trace-part.ts'

interface Trace {
  readonly chunks: Chunk[]
  readonly outline: OutlineBuilder
}

interface Chunk {
  readonly groups: ResourceEntry[]
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
        const chunk = chunkOf(trace)
        placeIn(chunk, group, scope).push(span)
        chunk.count += 1
        trace.outline.add(checked.value, app)
      }
    }
  }
  return ok({
    parts: [...traces].flatMap(([traceId, { chunks, outline }]) => {
      const built = outline.build()
      return chunks.map(
        ({ groups: own, count }): TracePart => ({
          traceId,
          format: 'json',
          bytes: Buffer.from(JSON.stringify({ resourceSpans: own.map(resourceSpans) })),
          spanCount: count,
          outline: built,
        }),
      )
    }),
    rejectedCount: rejected.count,
    reasons: rejected.reasons,
  })
}

function traceOf(traces: Map<string, Trace>, traceId: string): Trace {
  const known = traces.get(traceId)
  if (known !== undefined) return known
  const trace: Trace = { chunks: [], outline: new OutlineBuilder() }
  traces.set(traceId, trace)
  return trace
}

function chunkOf({ chunks }: Trace): Chunk {
  const last = chunks.at(-1)
  if (last !== undefined && last.count < MAX_PART_SPANS) return last
  const chunk: Chunk = { groups: [], count: 0 }
  chunks.push(chunk)
  return chunk
}

/** The list that the chunk's spans of this group go to. */
function placeIn({ groups }: Chunk, group: Fields, scope: Fields): unknown[] {
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
