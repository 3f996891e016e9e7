import { countMetrics } from '../otlp/count-metrics.ts'
import { splitRequest } from '../otlp/decode.ts'
import { type DecodedLog, decodeLogs } from '../otlp/decode-logs.ts'
import { MAX_REQUEST_ITEMS } from '../otlp/limits.ts'
import type { TracePart } from '../otlp/trace-part.ts'
import { messageOf, type Result } from '../problem.ts'
import { inflate } from './inflate.ts'
import type { ExportOutcome, ToWorker } from './messages.ts'

export type ExportMessage = Extract<ToWorker, { kind: 'export' }>
export type ExportItem = TracePart | DecodedLog

/** What is in an export request, or the answer to one that holds nothing to store. */
type Opened =
  | { readonly outcome: ExportOutcome }
  | { readonly items: readonly ExportItem[]; readonly reasons: string[]; readonly rejected: number }

/** Opens a request. One that we have no answer to must not take those beside it along, nor wait for ever. */
export function openExport(message: ExportMessage): Opened {
  try {
    return open(message)
  } catch (error) {
    console.error('graphmind: an export request could not be read:', error)
    return { outcome: { status: 400, message: `The request could not be read: ${messageOf(error)}.` } }
  }
}

function open({ signal, body, format, encoding, maxBytes }: ExportMessage): Opened {
  const inflated = inflate(body, encoding, maxBytes)
  if (!inflated.ok) return refusal(inflated, inflated.problem.code === 'too-large' ? 413 : 400)
  if (signal === 'metrics') {
    const counted = countMetrics(inflated.value, format)
    return counted.ok ? { outcome: { status: 200, accepted: counted.value, rejected: 0, reasons: [] } } : refusal(counted, 400)
  }
  const opened = signal === 'traces' ? splitRequest(inflated.value, format) : decodeLogs(inflated.value, format)
  if (!opened.ok) return refusal(opened, 400)
  const { rejectedCount: rejected, reasons } = opened.value
  const items = 'parts' in opened.value ? opened.value.parts : opened.value.logs
  const count = spanCount(items)
  if (count > MAX_REQUEST_ITEMS) {
    const message = `The request carries ${count} spans or records, and at most ${MAX_REQUEST_ITEMS} are taken at once. Send smaller batches.`
    return { outcome: { status: 413, message } }
  }
  if (items.length === 0) return { outcome: { status: 200, accepted: 0, rejected, reasons } }
  return { items, rejected, reasons: [...reasons] }
}

/** Spans and log records among these. */
export function spanCount(items: readonly ExportItem[]): number {
  return items.reduce((sum, item) => sum + ('outline' in item ? item.spanCount : 1), 0)
}

function refusal(result: Extract<Result<never>, { ok: false }>, status: 400 | 413): Opened {
  return { outcome: { status, message: result.problem.message } }
}
