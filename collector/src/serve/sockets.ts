import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Connection, Peer } from '@graphmind-ai/hub'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Result } from '../problem.ts'
import { SOCKET_PROTOCOL } from './access.ts'
import type { Guard } from './guard.ts'

export interface SocketRoute {
  readonly maxFrameBytes: number
  readonly maxSockets: number
  /** Whether who sends these headers may come in, and what their socket is then. */
  admit(headers: IncomingHttpHeaders): Result<(peer: Peer) => Connection>
}

const PING_MS = 30_000
const UNSUPPORTED_DATA = 1003
const MAX_CLOSE_REASON_BYTES = 123

/** The WebSocket side of the servers: checks each upgrade, adapts sockets to the hub's peers, and notices dead ones. */
export class Sockets {
  readonly #routes: Readonly<Record<string, SocketRoute>>
  readonly #guard: Guard
  readonly #servers = new Map<SocketRoute, WebSocketServer>()
  readonly #timer: NodeJS.Timeout

  /** `routes` by path. */
  constructor(routes: Readonly<Record<string, SocketRoute>>, guard: Guard) {
    this.#routes = routes
    this.#guard = guard
    for (const route of Object.values(routes)) {
      this.#servers.set(
        route,
        new WebSocketServer({ noServer: true, maxPayload: route.maxFrameBytes, perMessageDeflate: false, handleProtocols }),
      )
    }
    this.#timer = setInterval(() => this.#pingAll(), PING_MS).unref()
  }

  listenOn(server: Server): void {
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** Ends every socket at once; the hub has said goodbye before. */
  stop(): void {
    clearInterval(this.#timer)
    for (const server of this.#servers.values()) {
      for (const socket of server.clients) socket.terminate()
      server.close()
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const route = Object.hasOwn(this.#routes, path) ? this.#routes[path] : undefined
    const server = route === undefined ? undefined : this.#servers.get(route)
    const allowed = this.#guard(request.headers)
    const admitted = allowed.ok ? route?.admit(request.headers) : undefined
    if (!allowed.ok) refuse(socket, '403 Forbidden', allowed.problem.message)
    else if (route === undefined || server === undefined || admitted === undefined)
      refuse(socket, '404 Not Found', `There is no WebSocket at ${path}. Use /ingest or /ws/ui.`)
    else if (!admitted.ok) refuse(socket, '401 Unauthorized', admitted.problem.message)
    else if (server.clients.size >= route.maxSockets)
      refuse(socket, '503 Service Unavailable', `${route.maxSockets} sockets are open already. Close some.`)
    else server.handleUpgrade(request, socket, head, (webSocket) => connect(webSocket, admitted.value))
  }

  #pingAll(): void {
    for (const server of this.#servers.values()) {
      for (const socket of server.clients) {
        // Anything read counts as life, so a busy peer that is slow to answer pings is not cut off.
        if (quiet.has(socket)) socket.terminate()
        else {
          quiet.add(socket)
          socket.ping()
        }
      }
    }
  }
}

/** Our own protocol when it is offered; never one that carries a token. */
const handleProtocols = (offered: ReadonlySet<string>) => (offered.has(SOCKET_PROTOCOL) ? SOCKET_PROTOCOL : false)

/** Sockets that were not heard of since the last ping. */
const quiet = new WeakSet<WebSocket>()

function connect(socket: WebSocket, connectPeer: (peer: Peer) => Connection): void {
  const peer: Peer = {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text, { binary: false })
    },
    close: (code, reason) => socket.close(code, closeReason(reason)),
    get bufferedBytes() {
      return socket.bufferedAmount
    },
  }
  const connection = connectPeer(peer)
  socket.on('message', (data: RawData, isBinary: boolean) => {
    quiet.delete(socket)
    if (isBinary) socket.close(UNSUPPORTED_DATA, 'Send JSON as text frames.')
    else connection.receive(String(data))
  })
  socket.on('pong', () => quiet.delete(socket))
  socket.on('close', () => connection.closed())
  // A broken frame also ends in 'close'; without a listener it would end the process.
  socket.on('error', () => quiet.delete(socket))
}

/** As much of a reason as a close frame can carry: 123 bytes (RFC 6455, 5.5), whole characters only. */
export function closeReason(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_CLOSE_REASON_BYTES), { stream: true })
}

function refuse(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({ error: message })
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
