import type { OtlpFormat } from './decode.ts'
import { Writer } from './protobuf/writer.ts'

export type Signal = 'traces' | 'logs' | 'metrics'

const REJECTED_FIELD: Record<Signal, string> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
}

/** The body of an OTLP 200. Without rejections and message it is the empty response. */
export function exportResponse(signal: Signal, format: OtlpFormat, rejected: number, message: string): Uint8Array {
  const partial = rejected > 0 || message !== ''
  if (format === 'json') {
    return Buffer.from(
      JSON.stringify(partial ? { partialSuccess: { [REJECTED_FIELD[signal]]: String(rejected), errorMessage: message } } : {}),
    )
  }
  const writer = new Writer()
  if (partial)
    writer.message(1, (success) => {
      success.int(1, rejected)
      success.text(2, message)
    })
  return writer.finish()
}

// google.rpc.Code numbers for the HTTP statuses we answer with.
const RPC_CODES: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 405: 12, 413: 8, 415: 3, 429: 8, 503: 14 }

/** The body of an OTLP error: a google.rpc.Status in the format the client speaks. */
export function statusBody(httpStatus: number, format: OtlpFormat, message: string): Uint8Array {
  const status = { code: RPC_CODES[httpStatus] ?? 2, message }
  if (format === 'json') return Buffer.from(JSON.stringify(status))
  const writer = new Writer()
  writer.int(1, status.code)
  writer.text(2, message)
  return writer.finish()
}

/** The content type of each form of OTLP. */
export const CONTENT_TYPES: Record<OtlpFormat, string> = { json: 'application/json', protobuf: 'application/x-protobuf' }
