import type { Server } from 'node:http'
import type { Express } from 'express'
import { ok, type Result } from '../problem.ts'
import type { GrpcFront } from './grpc.ts'
import { closeServer, httpServer, listen, type ServerLimits } from './listen.ts'
import { switchProtocols } from './protocol-switch.ts'
import type { Sockets } from './sockets.ts'

const OTLP_HTTP_PORT = 4318
const OTLP_GRPC_PORT = 4317

export interface ServerSet {
  readonly port: number
  readonly bound: readonly string[]
  stop(): Promise<void>
}

export interface ServerSetOptions {
  readonly app: Express
  readonly sockets: Sockets
  readonly grpc: GrpcFront
  readonly hosts: readonly string[]
  readonly port: number
  /** Told each port before its first request is read. */
  readonly ports: Set<number>
  readonly otlpPorts: boolean
  readonly limits: ServerLimits
}

/** The addresses to bind: those of loopback, or the given one, and then 127.0.0.1 too, where this machine's own commands look. */
export function hostsToBind(host: string | undefined): readonly string[] {
  if (host === undefined) return ['127.0.0.1', '::1']
  return ['0.0.0.0', '::', '127.0.0.1'].includes(host) ? [host] : [host, '127.0.0.1']
}

/** Listens on these addresses, and on the OTLP default ports when that is wanted and they are free. Every port speaks HTTP and gRPC. Only the main port of the first address has to be had. */
export async function startServers({
  app,
  sockets,
  grpc,
  hosts,
  port,
  ports,
  otlpPorts,
  limits,
}: ServerSetOptions): Promise<Result<ServerSet>> {
  const servers: Server[] = []
  const dropSilent: (() => void)[] = []
  const bound: string[] = []
  const open = async (host: string, wanted: number) => {
    const server = httpServer(app, limits)
    sockets.listenOn(server)
    dropSilent.push(switchProtocols(server, (connection) => grpc.serve(connection)))
    const listening = await listen(server, host, wanted)
    if (!listening.ok) return listening
    servers.push(server)
    ports.add(listening.value)
    bound.push(`${host.includes(':') ? `[${host}]` : host}:${listening.value}`)
    return listening
  }
  const [first = '127.0.0.1', ...others] = hosts
  const openAll = async (wanted: number) => {
    const taken = await open(first, wanted)
    // `localhost` may mean ::1 first; a machine without IPv6 has only the other.
    if (taken.ok) for (const host of others) await open(host, taken.value)
    return taken
  }
  const main = await openAll(port)
  if (!main.ok) return main
  for (const wanted of otlpPorts ? [OTLP_HTTP_PORT, OTLP_GRPC_PORT] : []) if (wanted !== main.value) await openAll(wanted)
  return ok({
    port: main.value,
    bound,
    async stop() {
      const closed = Promise.all(servers.map(closeServer))
      for (const drop of dropSilent) drop()
      grpc.stop()
      await closed
    },
  })
}
