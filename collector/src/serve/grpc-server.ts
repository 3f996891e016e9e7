import { type handleUnaryCall, Server, ServerCredentials, type ServiceDefinition, status } from '@grpc/grpc-js'
import { MAX_BODY_BYTES } from '../ingest/inflate.ts'
import type { ExportOutcome, ExportRequest } from '../ingest/messages.ts'
import { exportResponse, type Signal } from '../otlp/answer.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { GrpcFront } from './grpc.ts'
import type { IngestStats } from './ingest-stats.ts'
import type { OtlpRoutesOptions } from './otlp-routes.ts'

const SERVICES: Readonly<Record<Signal, string>> = {
  traces: 'opentelemetry.proto.collector.trace.v1.TraceService',
  logs: 'opentelemetry.proto.collector.logs.v1.LogsService',
  metrics: 'opentelemetry.proto.collector.metrics.v1.MetricsService',
}

// Which refusals a client may repeat is fixed by OTLP: UNAVAILABLE yes, the others not.
const CODES: Readonly<Record<Exclude<ExportOutcome['status'], 200>, status>> = {
  400: status.INVALID_ARGUMENT,
  413: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
}

/** OTLP/gRPC: the three Export calls, through the same worker as OTLP/HTTP. Listens nowhere by itself; connections are handed in. */
export function grpcServer({ take, budget, stats, maxBodyBytes = MAX_BODY_BYTES }: OtlpRoutesOptions): GrpcFront {
  const server = new Server({ 'grpc.max_receive_message_length': maxBodyBytes })
  for (const signal of ['traces', 'logs', 'metrics'] as const) {
    server.addService(serviceOf(signal), { export: exportCall(signal, take, budget, stats) })
  }
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure())
  return {
    serve: (connection) => connections.injectConnection(connection),
    stop() {
      connections.destroy()
      server.forceShutdown()
    },
  }
}

/** Messages stay bytes: the worker decodes them. */
function serviceOf(signal: Signal): ServiceDefinition {
  const asIs = (bytes: Buffer) => bytes
  return {
    export: {
      path: `/${SERVICES[signal]}/Export`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  }
}

function exportCall(
  signal: Signal,
  take: (request: ExportRequest) => Promise<ExportOutcome>,
  budget: ByteBudget,
  stats: IngestStats,
): handleUnaryCall<Buffer, Buffer> {
  return ({ request }, reply) => {
    const bytes = request.byteLength
    if (!budget.take(bytes)) {
      stats.refused(signal, 503)
      reply({ code: status.UNAVAILABLE, details: 'Too much is waiting to be stored. Try again in a moment.' })
      return
    }
    // Copied, because the worker takes the whole buffer and this one may be a part of a pool.
    take({ signal, format: 'protobuf', encoding: 'identity', body: new Uint8Array(request) })
      .then((outcome) => {
        if (outcome.status !== 200) {
          stats.refused(signal, outcome.status)
          reply({ code: CODES[outcome.status], details: outcome.message })
          return
        }
        stats.accepted(signal, bytes, outcome.accepted, outcome.rejected, outcome.reasons)
        const message = outcome.rejected > 0 ? `${outcome.rejected} rejected: ${outcome.reasons.join('; ')}` : ''
        reply(null, Buffer.from(exportResponse(signal, 'protobuf', outcome.rejected, message)))
      })
      .finally(() => budget.give(bytes))
  }
}
