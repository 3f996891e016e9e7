import type { Envelope } from '@graphmind-ai/schema'
import { TraceReader } from '../import/trace-reader.ts'
import type { DecodedSpan } from '../otlp/decode.ts'
import type { DecodedLog } from '../otlp/decode-logs.ts'

export interface ReadTraces {
  readonly spans: readonly DecodedSpan[]
  readonly logs: readonly DecodedLog[]
  readonly events: readonly { readonly envelope: Envelope; readonly origin: string | undefined }[]
  readonly skipped: readonly { readonly line: number | null; readonly reason: string }[]
  readonly isKnown: boolean
}

/** Reads a file's content as an import does, in pieces of `pieceBytes`. */
export function readTraces(content: string | Uint8Array, pieceBytes = 64 * 1024): ReadTraces {
  const bytes = Buffer.from(content as string)
  const spans: DecodedSpan[] = []
  const logs: DecodedLog[] = []
  const events: ReadTraces['events'][number][] = []
  const skipped: ReadTraces['skipped'][number][] = []
  const reader = new TraceReader({
    span: (span) => spans.push(span),
    log: (log) => logs.push(log),
    event: (envelope, origin) => events.push({ envelope, origin }),
    skipped: (line, reason) => skipped.push({ line, reason }),
  })
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.write(bytes.subarray(at, at + pieceBytes))
  reader.end()
  return { spans, logs, events, skipped, isKnown: reader.isKnown }
}
