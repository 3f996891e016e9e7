import type { Duplex } from 'node:stream'
import type { Access } from './access.ts'
import type { Guard } from './guard.ts'
import type { OtlpRoutesOptions } from './otlp-routes.ts'

export interface GrpcOptions extends OtlpRoutesOptions {
  readonly guard: Guard
  readonly access: Access
}

export interface GrpcFront {
  /** Serves a connection that has begun to speak HTTP/2. */
  serve(connection: Duplex): void
  stop(): void
}

/** OTLP/gRPC, loaded for the first connection that speaks it: most starts never see one. */
export function grpcFront(options: GrpcOptions): GrpcFront {
  let loading: Promise<GrpcFront> | undefined
  let isStopped = false
  return {
    serve(connection) {
      loading ??= import('./grpc-server.ts').then(({ grpcServer }) => grpcServer(options))
      void loading.then((server) => {
        if (isStopped) connection.destroy()
        else server.serve(connection)
      })
    },
    stop() {
      isStopped = true
      void loading?.then((server) => server.stop())
    },
  }
}
