import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Refusal } from './dial.ts'
import type { Frame } from './exchange.ts'

/** More than this unsent in a socket, and its peer is read no further until it is below the second mark. */
const HIGH_BYTES = 4 * 1024 * 1024
const LOW_BYTES = 1024 * 1024

/** What happens between two sockets. */
export interface RelayEvents {
  readonly fromClient: (frame: Frame) => void
  readonly fromGateway: (frame: Frame) => void
  readonly clientClosed: () => void
  /** Resolves when everything that may still go to the client is on its way. */
  readonly gatewayClosed: () => Promise<void>
}

export interface Relay {
  readonly toClient: (frame: Frame) => void
  readonly toGateway: (frame: Frame) => void
  readonly close: () => void
}

/** Ties the messages and the end of two open sockets together. What is sent is up to the caller. */
export function relay(client: WebSocket, gateway: WebSocket, events: RelayEvents): Relay {
  client.on('message', (data, isBinary) => events.fromClient(frameOf(data, isBinary)))
  gateway.on('message', (data, isBinary) => events.fromGateway(frameOf(data, isBinary)))
  // What went wrong comes again as the close that follows.
  client.on('error', () => undefined)
  gateway.on('error', () => undefined)
  client.on('close', (code, reason) => {
    events.clientClosed()
    closeLike(gateway, code, reason)
  })
  gateway.on('close', (code, reason) => {
    void events.gatewayClosed().then(() => closeLike(client, code, reason))
  })
  return {
    toClient: (frame) => send(client, gateway, frame),
    toGateway: (frame) => send(gateway, client, frame),
    close() {
      client.close(1001)
      gateway.close(1001)
    },
  }
}

/** Answers a handshake that did not succeed. */
export function refuse(socket: Duplex, { status, headers, body }: Refusal): void {
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': String(body.length) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${lines.join('')}\r\n`), body]))
}

function send(to: WebSocket, from: WebSocket, { bytes, isBinary }: Frame): void {
  if (to.readyState !== to.OPEN) return
  to.send(bytes, { binary: isBinary }, () => {
    if (from.isPaused && to.bufferedAmount <= LOW_BYTES) from.resume()
  })
  if (to.bufferedAmount > HIGH_BYTES) from.pause()
}

/** Codes 1005 and 1006 say that there was none, so they can't be sent. */
function closeLike(socket: WebSocket, code: number, reason: Buffer): void {
  if (code === 1005) socket.close()
  else if (code === 1006 || code === 1015) socket.terminate()
  else socket.close(code, reason)
}

function frameOf(data: RawData, isBinary: boolean): Frame {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
  return { bytes, isBinary }
}
