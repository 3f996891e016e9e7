import type { Server } from 'node:http'
import type { Express } from 'express'
import { ok, type Result } from '../problem.ts'
import type { GrpcFront } from './grpc.ts'
import { closeServer, httpServer, listen } from './listen.ts'
import { switchProtocols } from './protocol-switch.ts'
import type { Sockets } from './sockets.ts'

const OTLP_HTTP_PORT = 4318
const OTLP_GRPC_PORT = 4317

export interface ServerSet {
  readonly port: number
  readonly ports: readonly number[]
  readonly bound: readonly string[]
  stop(): Promise<void>
}

export interface ServerSetOptions {
  readonly app: Express
  readonly sockets: Sockets
  readonly grpc: GrpcFront
  readonly port: number
  readonly otlpPorts: boolean
}

/** Listens on both loopback addresses, and on the OTLP default ports when that is wanted and they are free. Every port speaks HTTP and gRPC. Only the main port has to be had. */
export async function startServers({ app, sockets, grpc, port, otlpPorts }: ServerSetOptions): Promise<Result<ServerSet>> {
  const servers: Server[] = []
  const dropSilent: (() => void)[] = []
  const ports = new Set<number>()
  const bound: string[] = []
  const open = async (host: string, wanted: number) => {
    const server = httpServer(app)
    sockets.listenOn(server)
    dropSilent.push(switchProtocols(server, (connection) => grpc.serve(connection)))
    const listening = await listen(server, host, wanted)
    if (!listening.ok) return listening
    servers.push(server)
    ports.add(listening.value)
    bound.push(`${host.includes(':') ? `[${host}]` : host}:${listening.value}`)
    return listening
  }
  const main = await open('127.0.0.1', port)
  if (!main.ok) return main
  // `localhost` may mean ::1 first; a machine without IPv6 has only the other.
  await open('::1', main.value)
  for (const wanted of otlpPorts ? [OTLP_HTTP_PORT, OTLP_GRPC_PORT] : []) {
    if (wanted === main.value) continue
    const taken = await open('127.0.0.1', wanted)
    if (taken.ok) await open('::1', wanted)
  }
  return ok({
    port: main.value,
    ports: [...ports],
    bound,
    async stop() {
      const closed = Promise.all(servers.map(closeServer))
      for (const drop of dropSilent) drop()
      grpc.stop()
      await closed
    },
  })
}
