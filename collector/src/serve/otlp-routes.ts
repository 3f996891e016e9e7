import { type Request, type Response, Router } from 'express'
import { MAX_BODY_BYTES } from '../ingest/inflate.ts'
import type { BodyEncoding, ExportOutcome, ExportRequest } from '../ingest/messages.ts'
import { CONTENT_TYPES, exportResponse, type Signal, statusBody } from '../otlp/answer.ts'
import type { OtlpFormat } from '../otlp/decode.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { IngestStats } from './ingest-stats.ts'
import { announcedBytes, NO_ROOM, readBody } from './read-body.ts'

const FORMATS: Readonly<Record<string, OtlpFormat>> = {
  'application/json': 'json',
  'application/x-protobuf': 'protobuf',
  'application/protobuf': 'protobuf',
}
const ENCODINGS: ReadonlySet<string> = new Set(['identity', 'gzip', 'deflate'])
const SIGNALS: readonly Signal[] = ['traces', 'logs', 'metrics']
const RETRY_AFTER_SECONDS = '1'

export interface OtlpRoutesOptions {
  readonly take: (request: ExportRequest) => Promise<ExportOutcome>
  readonly budget: ByteBudget
  readonly stats: IngestStats
  readonly maxBodyBytes?: number
}

/** `POST /v1/traces`, `/v1/logs` and `/v1/metrics`: OTLP/HTTP in JSON and protobuf, answered after the commit in the format that was sent. */
export function otlpRoutes(options: OtlpRoutesOptions): Router {
  const router = Router()
  for (const signal of SIGNALS) {
    router.post(`/v1/${signal}`, (request, response) => receive(signal, request, response, options))
    router.all(`/v1/${signal}`, (_request, response) => {
      response.setHeader('Allow', 'POST')
      refuse(response, 405, 'json', `Send OTLP ${signal} with POST.`)
    })
  }
  return router
}

async function receive(signal: Signal, request: Request, response: Response, options: OtlpRoutesOptions): Promise<void> {
  const { budget, stats, maxBodyBytes = MAX_BODY_BYTES } = options
  const contentType = request.headers['content-type'] ?? ''
  const format = formatOf(contentType)
  if (format === undefined) {
    return refuse(response, 415, 'json', `Content-Type "${contentType}" is not OTLP. Send application/json or application/x-protobuf.`)
  }
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (!ENCODINGS.has(encoding)) {
    return refuse(response, 415, format, `Content-Encoding "${encoding}" is not supported. Use gzip, deflate or none.`)
  }
  const read = await readBody(request, announcedBytes(request), maxBodyBytes, budget)
  if (read.outcome === 'aborted') return
  if (read.outcome === 'too-large') {
    const reason = `The body is larger than ${Math.floor(maxBodyBytes / 1024 / 1024)} MiB. Send smaller batches.`
    stats.refused(signal, 413, reason)
    return refuse(response, 413, format, reason)
  }
  if (read.outcome === 'no-room') {
    stats.refused(signal, 503, NO_ROOM)
    return refuse(response, 503, format, NO_ROOM)
  }
  try {
    const bytes = read.body.byteLength
    const outcome = await options.take({ signal, format, encoding: encoding as BodyEncoding, maxBytes: maxBodyBytes, body: read.body })
    answer(response, signal, format, outcome)
    if (outcome.status === 200) stats.accepted(signal, bytes, outcome.accepted, outcome.rejected, outcome.reasons)
    else stats.refused(signal, outcome.status, outcome.message)
  } finally {
    read.done()
  }
}

function formatOf(contentType: string): OtlpFormat | undefined {
  return FORMATS[contentType.split(';')[0]?.trim().toLowerCase() ?? '']
}

/** Refuses an export before anything of it is read. */
export function refuseExport(request: Request, response: Response, status: 401 | 403, message: string): void {
  refuse(response, status, formatOf(request.headers['content-type'] ?? '') ?? 'json', message)
}

function answer(response: Response, signal: Signal, format: OtlpFormat, outcome: ExportOutcome): void {
  if (outcome.status === 200) {
    const message = outcome.rejected > 0 ? `${outcome.rejected} rejected: ${outcome.reasons.join('; ')}` : ''
    send(response, 200, format, exportResponse(signal, format, outcome.rejected, message))
  } else refuse(response, outcome.status, format, outcome.message)
}

function refuse(response: Response, status: number, format: OtlpFormat, message: string): void {
  if (status === 503) response.setHeader('Retry-After', RETRY_AFTER_SECONDS)
  // What is left of the body is not read; the connection can't be used again.
  if (status === 413 || status === 503) response.setHeader('Connection', 'close')
  send(response, status, format, statusBody(status, format, message))
}

function send(response: Response, status: number, format: OtlpFormat, body: Uint8Array): void {
  response.writeHead(status, { 'Content-Type': CONTENT_TYPES[format], 'Content-Length': body.byteLength })
  response.end(body)
}
