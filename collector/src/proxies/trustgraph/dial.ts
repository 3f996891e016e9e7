import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'

/** The gateway's own limit is 50 MiB a message. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** Headers of a client's handshake that the gateway needs to see. */
const PASSED_HEADERS = ['authorization', 'cookie', 'origin'] as const
const MAX_REFUSAL_BYTES = 64 * 1024

/** A list that is no list of tokens, or names one twice, can't be offered again; what can be is. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const isToken = (protocol: string, index: number, all: readonly string[]) => TOKEN.test(protocol) && all.indexOf(protocol) === index

/** How the gateway refused a handshake. */
export interface Refusal {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Buffer
}

/** The gateway's address with what a client added to it; a client may use any path. */
function upstreamFor(upstream: URL, clientUrl: string): URL {
  const url = new URL(upstream)
  const query = clientUrl.indexOf('?')
  // As text, because taking a query apart and putting it together changes how it is spelled.
  if (query !== -1) url.search = [url.search.slice(1), clientUrl.slice(query + 1)].filter((part) => part !== '').join('&')
  return url
}

/** Dials the gateway as the client would have. Calls exactly one of the two back. */
export function dial(
  upstream: URL,
  { url = '/', headers }: IncomingMessage,
  { opened, refused }: { readonly opened: (socket: WebSocket) => void; readonly refused: (refusal: Refusal) => void },
): WebSocket {
  const protocols = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim()) ?? []
  const passed = PASSED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  const socket = new WebSocket(upstreamFor(upstream, url), protocols.filter(isToken), {
    headers: Object.fromEntries(passed),
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  let isAnswered = false
  const answer = (act: () => void) => {
    if (isAnswered) return
    isAnswered = true
    act()
  }
  socket.on('open', () => answer(() => opened(socket)))
  socket.on('unexpected-response', (_request, response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_REFUSAL_BYTES) chunks.push(chunk)
    })
    response.on('end', () =>
      answer(() => refused({ status: response.statusCode ?? 502, headers: refusalHeaders(response), body: Buffer.concat(chunks) })),
    )
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // The code only: a message may quote the address, and with it a token.
    const body = Buffer.from(
      `The proxy can't reach the gateway (${error.code ?? 'connection failed'}). Is it running, and is --upstream right?\n`,
    )
    answer(() => refused({ status: 502, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }))
  })
  return socket
}

function refusalHeaders({ headers }: IncomingMessage): { readonly [name: string]: string } {
  const passed = ['content-type', 'www-authenticate'] as const
  return Object.fromEntries(passed.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}
