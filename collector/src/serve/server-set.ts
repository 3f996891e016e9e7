import type { Server } from 'node:http'
import type { Express } from 'express'
import { ok, type Result } from '../problem.ts'
import { closeServer, httpServer, listen } from './listen.ts'
import type { Sockets } from './sockets.ts'

const OTLP_HTTP_PORT = 4318

export interface ServerSet {
  readonly port: number
  readonly ports: readonly number[]
  readonly bound: readonly string[]
  stop(): Promise<void>
}

export interface ServerSetOptions {
  readonly app: Express
  readonly sockets: Sockets
  readonly port: number
  readonly otlpPorts: boolean
}

/** Listens on both loopback addresses, and on the OTLP default port when that is wanted and free. Only the main port has to be had. */
export async function startServers({ app, sockets, port, otlpPorts }: ServerSetOptions): Promise<Result<ServerSet>> {
  const servers: Server[] = []
  const ports = new Set<number>()
  const bound: string[] = []
  const open = async (host: string, wanted: number) => {
    const server = httpServer(app)
    sockets.listenOn(server)
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
  if (otlpPorts && main.value !== OTLP_HTTP_PORT) {
    const taken = await open('127.0.0.1', OTLP_HTTP_PORT)
    if (taken.ok) await open('::1', OTLP_HTTP_PORT)
  }
  return ok({
    port: main.value,
    ports: [...ports],
    bound,
    async stop() {
      await Promise.all(servers.map(closeServer))
    },
  })
}
