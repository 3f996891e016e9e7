import type { OtlpFormat } from './decode.ts'
import { type CheckedSpan, MAX_PART_SPANS, OutlineBuilder, Rejections, type SplitRequest, type TracePart } from './trace-part.ts'

/** A run of bytes of the request. */
export interface Slice {
  readonly from: number
  readonly end: number
}

/** A span in the request, with what it shares with those beside it. */
export interface SpanPiece<Resource, Scope> extends Slice {
  readonly resource: Resource
  readonly scope: Scope
}

/** Spans of one resource that go into one request. */
export interface ResourceCut<Resource, Scope> {
  readonly resource: Resource
  readonly scopes: readonly ScopeCut<Scope>[]
}

export interface ScopeCut<Scope> {
  readonly scope: Scope
  readonly spans: readonly Slice[]
}

interface Trace<Resource, Scope> {
  readonly pieces: SpanPiece<Resource, Scope>[]
  readonly outline: OutlineBuilder
}

/** Sorts the spans of a request by trace, to be cut into a request for each. */
export class TraceCuts<Resource, Scope> {
  readonly #traces = new Map<string, Trace<Resource, Scope>>()
  readonly rejected = new Rejections()

  add(span: CheckedSpan, app: string, piece: SpanPiece<Resource, Scope>): void {
    let trace = this.#traces.get(span.traceId)
    if (trace === undefined) {
      trace = { pieces: [], outline: new OutlineBuilder() }
      this.#traces.set(span.traceId, trace)
    }
    trace.pieces.push(piece)
    trace.outline.add(span, app)
  }

  /** `join` writes the request that holds just these spans, in their order. A small request of one trace is its own part. */
  split(format: OtlpFormat, whole: Uint8Array, join: (cuts: readonly ResourceCut<Resource, Scope>[]) => Uint8Array): SplitRequest {
    const traces = [...this.#traces]
    const [only] = traces
    const isWhole = traces.length === 1 && this.rejected.count === 0 && (only?.[1].pieces.length ?? 0) <= MAX_PART_SPANS
    return {
      parts: traces.flatMap(([traceId, { pieces, outline }]) => {
        const built = outline.build()
        return chunks(pieces).map(
          (chunk): TracePart => ({
            traceId,
            format,
            bytes: isWhole ? whole : join(grouped(chunk)),
            spanCount: chunk.length,
            outline: built,
          }),
        )
      }),
      rejectedCount: this.rejected.count,
      reasons: this.rejected.reasons,
    }
  }
}

function chunks<Item>(items: readonly Item[]): (readonly Item[])[] {
  const out: (readonly Item[])[] = []
  for (let at = 0; at < items.length; at += MAX_PART_SPANS) out.push(items.slice(at, at + MAX_PART_SPANS))
  return out
}

/** Spans that stand beside each other in one resource or scope share it again. */
function grouped<Resource, Scope>(pieces: readonly SpanPiece<Resource, Scope>[]): readonly ResourceCut<Resource, Scope>[] {
  const cuts: { resource: Resource; scopes: { scope: Scope; spans: Slice[] }[] }[] = []
  for (const piece of pieces) {
    let cut = cuts.at(-1)
    if (cut?.resource !== piece.resource) {
      cut = { resource: piece.resource, scopes: [] }
      cuts.push(cut)
    }
    const last = cut.scopes.at(-1)
    if (last?.scope === piece.scope) last.spans.push(piece)
    else cut.scopes.push({ scope: piece.scope, spans: [piece] })
  }
  return cuts
}
