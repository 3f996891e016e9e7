import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Environment } from '@graphmind-ai/client'
import { type WebSocket, WebSocketServer } from 'ws'
import { failed, ok, type Result } from '../../problem.ts'
import { Gates } from '../gates.ts'
import { holdNotices } from '../hold-notices.ts'
import { openProxySession } from '../proxy-session.ts'
import type { Say } from '../say.ts'
import { refusalOf } from './access.ts'
import { CONNECTION_LIMITS, Connection } from './connection.ts'
import { dial, MAX_MESSAGE_BYTES } from './dial.ts'
import type { Frame } from './exchange.ts'
import { type Relay, refuse, relay } from './relay.ts'

const LOOPBACK = '127.0.0.1'

export interface TrustGraphProxyOptions {
  /** The gateway's socket, like ws://localhost:8088/api/v1/socket. */
  readonly upstream: URL
  /** Port on 127.0.0.1; 0 for a free one. */
  readonly listen: number
  /** The port GraphMind is at; GRAPHMIND_URL when undefined. */
  readonly port: number | undefined
  readonly allowedOrigins: readonly string[]
  readonly environment: Environment
  readonly say: Say
}

export interface TrustGraphProxy {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts the proxy; a problem when its port can't be had. */
export async function startTrustGraphProxy(options: TrustGraphProxyOptions): Promise<Result<TrustGraphProxy>> {
  const { upstream, listen, environment, say, allowedOrigins } = options
  const server = createServer((_request, response) => {
    response.writeHead(426, { 'content-type': 'text/plain; charset=utf-8' }).end('This is a WebSocket proxy for TrustGraph clients.\n')
  })
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve).listen(listen, LOOPBACK, () => resolve(undefined))
  })
  if (error !== undefined)
    return failed('listen', `Port ${listen} can't be used (${error.code ?? error.message}). Choose another one with --listen.`)
  const nowMs = () => performance.now()
  const { session, viewer, stop } = openProxySession({ appName: 'trustgraph', port: options.port, environment, say })
  const gates = new Gates({ session, holding: holdNotices(say, viewer, nowMs), nowMs })
  const relays = new Set<Relay>()
  let connections = 0

  const accept = (client: WebSocket, gateway: WebSocket): void => {
    connections += 1
    const toClient = (frame: Frame) => tied.toClient(frame)
    const toGateway = (frame: Frame) => tied.toGateway(frame)
    const connection = session.enabled
      ? new Connection(`c${connections}`, upstream.host, { session, gates, nowMs, say, toClient, toGateway, limits: CONNECTION_LIMITS })
      : undefined
    const tied = relay(client, gateway, {
      fromClient: (frame) => (connection === undefined ? toGateway(frame) : connection.fromClient(frame)),
      fromGateway: (frame) => (connection === undefined ? toClient(frame) : connection.fromGateway(frame)),
      clientClosed() {
        relays.delete(tied)
        connection?.clientClosed()
      },
      gatewayClosed: async () => connection?.gatewayClosed(),
    })
    relays.add(tied)
  }

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (_offered, { protocol = '' }: Upgraded) => protocol || false,
  })
  server.on('upgrade', (request: Upgraded, socket: Duplex, head: Buffer) => {
    const refusal = refusalOf(request, allowedOrigins)
    if (refusal !== undefined) {
      refuse(socket, { status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${refusal}\n`) })
      return
    }
    const gateway = dial(upstream, request, {
      opened(opened) {
        socket.off('close', givenUp)
        request.protocol = opened.protocol
        sockets.handleUpgrade(request, socket, head, (client) => accept(client, opened))
      },
      refused: (answer) => refuse(socket, answer),
    })
    const givenUp = () => gateway.terminate()
    socket.on('close', givenUp)
    socket.on('error', givenUp)
  })
  const { port } = server.address() as AddressInfo
  return ok({
    port,
    async stop() {
      for (const tied of relays) tied.close()
      await stop()
      server.close()
      server.closeAllConnections()
    },
  })
}

/** A handshake, and the sub-protocol that the gateway chose for it. */
interface Upgraded extends IncomingMessage {
  protocol?: string
}
