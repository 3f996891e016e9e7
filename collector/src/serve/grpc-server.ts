import { once } from 'node:events'
import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { MAX_BODY_BYTES } from '../ingest/inflate.ts'
import type { BodyEncoding, ExportOutcome } from '../ingest/messages.ts'
import { exportResponse, type Signal } from '../otlp/answer.ts'
import { failed, messageOf, ok, type Result } from '../problem.ts'
import type { GrpcFront, GrpcOptions } from './grpc.ts'
import { REQUEST_TIMEOUT_MS } from './listen.ts'
import { announcedBytes, NO_ROOM, readBody } from './read-body.ts'

const PATHS: Readonly<Record<string, Signal>> = {
  '/opentelemetry.proto.collector.trace.v1.TraceService/Export': 'traces',
  '/opentelemetry.proto.collector.logs.v1.LogsService/Export': 'logs',
  '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export': 'metrics',
}
const ENCODINGS: ReadonlySet<string> = new Set(['identity', 'gzip', 'deflate'])
const ACCEPTED = [...ENCODINGS].join(',')
/** A flag for compression and the length, before each message (gRPC over HTTP/2, Length-Prefixed-Message). */
const PREFIX_BYTES = 5
/** Calls at once on one connection, the usual choice of servers. */
const MAX_CALLS = 100

// Status codes of gRPC. OTLP fixes which of them a client may repeat: UNAVAILABLE, and none of the others.
const INVALID_ARGUMENT = 3
const PERMISSION_DENIED = 7
const RESOURCE_EXHAUSTED = 8
const UNIMPLEMENTED = 12
const UNAVAILABLE = 14
const UNAUTHENTICATED = 16
const CODES: Readonly<Record<Exclude<ExportOutcome['status'], 200>, number>> = {
  400: INVALID_ARGUMENT,
  413: RESOURCE_EXHAUSTED,
  503: UNAVAILABLE,
}

/**
 * OTLP/gRPC on connections that are handed in: the three Export calls, through the same worker as OTLP/HTTP. Written on node:http2, because
 * a library's server owns the whole connection and leaves HTTP/2 that is no gRPC without a word.
 */
export function grpcServer(options: GrpcOptions): GrpcFront {
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer({ settings: { maxConcurrentStreams: MAX_CALLS } })
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers) => {
    // Also said of a client that has gone away, which is its right.
    stream.on('error', () => stream.destroy())
    void answer(stream, headers, options)
  })
  return {
    serve: (connection) => server.emit('connection', connection),
    stop() {
      for (const session of sessions) session.destroy()
    },
  }
}

interface Refusal {
  readonly code: number
  readonly message: string
}

async function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, options: GrpcOptions): Promise<void> {
  if (!/^application\/grpc(\+proto)?(;|$)/.test(headers['content-type'] ?? '')) return answerOthers(stream)
  const signal = PATHS[headers[':path'] ?? '']
  const outcome = await callOutcome(stream, headers, signal, options)
  if (outcome === undefined || stream.destroyed) return
  if ('code' in outcome) refuse(stream, outcome)
  else await reply(stream, outcome)
}

/** HTTP/2 that is no gRPC, such as of curl --http2-prior-knowledge: said in words, where nobody would guess at a bare status. */
function answerOthers(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 505, 'content-type': 'text/plain; charset=utf-8' })
  stream.end(
    'Over HTTP/2 this port speaks OTLP/gRPC only. Ask again over HTTP/1.1 (curl: --http1.1; OTLP: OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf).\n',
  )
}

/** The answer of an Export call; undefined when the client went away before it was due. */
async function callOutcome(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  signal: Signal | undefined,
  { guard, access, take, budget, stats, maxBodyBytes = MAX_BODY_BYTES }: GrpcOptions,
): Promise<Buffer | Refusal | undefined> {
  const allowed = guard({ host: headers[':authority'] ?? headers.host, origin: headers.origin })
  if (!allowed.ok) return { code: PERMISSION_DENIED, message: allowed.problem.message }
  const known = access.mayReport(headers)
  if (!known.ok) return { code: UNAUTHENTICATED, message: known.problem.message }
  if (signal === undefined)
    return { code: UNIMPLEMENTED, message: `There is no ${headers[':path']}: only Export of traces, logs and metrics.` }
  const encoding = String(headers['grpc-encoding'] ?? 'identity')
  if (!ENCODINGS.has(encoding)) return { code: UNIMPLEMENTED, message: `grpc-encoding "${encoding}" is not supported. Use ${ACCEPTED}.` }
  const tooSlow = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), REQUEST_TIMEOUT_MS).unref()
  const read = await readBody(stream, announcedBytes({ headers }), maxBodyBytes + PREFIX_BYTES, budget)
  clearTimeout(tooSlow)
  switch (read.outcome) {
    case 'aborted':
      return undefined
    case 'too-large': {
      const message = `The message is larger than ${maxBodyBytes / 1024 / 1024} MiB. Send smaller batches.`
      stats.refused(signal, 413, message)
      return { code: RESOURCE_EXHAUSTED, message }
    }
    case 'no-room':
      stats.refused(signal, 503, NO_ROOM)
      return { code: UNAVAILABLE, message: NO_ROOM }
    case 'read':
      try {
        const message = unwrap(read.body, encoding as BodyEncoding)
        if (!message.ok) return { code: INVALID_ARGUMENT, message: message.problem.message }
        const outcome = await take({ signal, format: 'protobuf', maxBytes: maxBodyBytes, ...message.value })
        if (outcome.status !== 200) {
          stats.refused(signal, outcome.status, outcome.message)
          return { code: CODES[outcome.status], message: outcome.message }
        }
        stats.accepted(signal, read.body.byteLength, outcome.accepted, outcome.rejected, outcome.reasons)
        const words = outcome.rejected > 0 ? `${outcome.rejected} rejected: ${outcome.reasons.join('; ')}` : ''
        return Buffer.from(exportResponse(signal, 'protobuf', outcome.rejected, words))
      } catch (error) {
        return { code: UNAVAILABLE, message: messageOf(error) }
      } finally {
        read.done()
      }
  }
}

/** The one message of a unary call. */
function unwrap(body: Uint8Array<ArrayBuffer>, encoding: BodyEncoding): Result<{ encoding: BodyEncoding; body: Uint8Array<ArrayBuffer> }> {
  const length = body.byteLength < PREFIX_BYTES ? -1 : new DataView(body.buffer).getUint32(1)
  if (length !== body.byteLength - PREFIX_BYTES) return failed('framing', 'The call does not carry one whole message.')
  return ok({ encoding: body[0] === 1 ? encoding : 'identity', body: body.slice(PREFIX_BYTES) })
}

async function reply(stream: ServerHttp2Stream, message: Buffer): Promise<void> {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(message.byteLength, 1)
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-accept-encoding': ACCEPTED }, { waitForTrailers: true })
  stream.end(Buffer.concat([prefix, message]))
  await once(stream, 'wantTrailers')
  stream.sendTrailers({ 'grpc-status': '0' })
}

function refuse(stream: ServerHttp2Stream, { code, message }: Refusal): void {
  const fields = {
    'content-type': 'application/grpc',
    'grpc-accept-encoding': ACCEPTED,
    'grpc-status': code,
    'grpc-message': encodeURI(message),
  }
  stream.respond({ ':status': 200, ...fields }, { endStream: true })
  // What is left of the body is not read.
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
}
