import { type DecodedSpan, decodeTraces, type OtlpFormat, splitRequest } from '../otlp/decode.ts'
import { MAX_PART_SPANS } from '../otlp/trace-part.ts'

/** What is read of a request: the problem that it has, or its spans by trace, with when each trace began. */
export function readWhole(bytes: Uint8Array, format: OtlpFormat): unknown {
  const decoded = decodeTraces(bytes, format)
  if (!decoded.ok) return decoded.problem
  const { spans, rejectedCount, reasons } = decoded.value
  const traces = [...Map.groupBy(spans, ({ view }) => view.traceId)]
  return { rejectedCount, reasons, traces: traces.map(([traceId, own]) => ({ traceId, startMs: startOf(own), spans: own.map(textOf) })) }
}

/** The same of what it is cut into. Throws for a part that does not hold what it says. */
export function readCut(bytes: Uint8Array, format: OtlpFormat): unknown {
  const split = splitRequest(bytes, format)
  if (!split.ok) return split.problem
  const { parts, rejectedCount, reasons } = split.value
  const traces = [...Map.groupBy(parts, ({ traceId }) => traceId)]
  return {
    rejectedCount,
    reasons,
    traces: traces.map(([traceId, own]) => ({
      traceId,
      startMs: own[0]?.outline.startMs,
      spans: own.flatMap((part) => {
        const decoded = decodeTraces(part.bytes, part.format)
        if (!decoded.ok) throw new Error(`a part is not readable: ${decoded.problem.message}`)
        const { spans, rejectedCount: broken } = decoded.value
        if (
          broken > 0 ||
          spans.length !== part.spanCount ||
          spans.length > MAX_PART_SPANS ||
          spans.some(({ view }) => view.traceId !== traceId)
        )
          throw new Error(`a part of ${part.spanCount} spans holds ${spans.length} and ${broken} broken ones`)
        return spans.map(textOf)
      }),
    })),
  }
}

function startOf(spans: readonly DecodedSpan[]): number {
  return Math.trunc(Math.min(...spans.map(({ view }) => Number(view.startNanos) / 1e6)))
}

function textOf({ raw, resource, scope }: DecodedSpan): string {
  return JSON.stringify([raw, resource, scope])
}
