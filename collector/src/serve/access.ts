import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { failed, ok, type Result } from '../problem.ts'

/** WebSockets of browsers can't send headers, so their token comes as a second subprotocol; the first is the one that is spoken. */
export const SOCKET_PROTOCOL = 'graphmind'
const SOCKET_TOKEN = 'graphmind.token.'

/** Whether a request may come in, judged by the token it carries. */
export type Access = (headers: Pick<IncomingHttpHeaders, 'authorization' | 'sec-websocket-protocol'>) => Result<void>

/** Lets in who shows this token, or everybody when there is none. The time it takes tells nothing about the token. */
export function createAccess(token: string | undefined): Access {
  if (token === undefined) return () => ok(undefined)
  const wanted = digest(token)
  return ({ authorization, 'sec-websocket-protocol': protocols }) => {
    const shown = tokenOf(authorization, protocols)
    if (shown !== undefined && timingSafeEqual(digest(shown), wanted)) return ok(undefined)
    return failed(
      'token',
      shown === undefined
        ? 'This server asks for its token. Open the link that graphmind serve printed, set GRAPHMIND_TOKEN, or send the header Authorization: Bearer <token>.'
        : 'This is not the token of this server. Take the one that graphmind serve printed: without GRAPHMIND_TOKEN there is a new one at each start.',
    )
  }
}

function tokenOf(authorization: string | undefined, protocols: string | undefined): string | undefined {
  const bearer = /^Bearer +(.+)$/i.exec(authorization ?? '')?.[1]
  if (bearer !== undefined) return bearer.trim()
  const offered = (protocols ?? '').split(',').map((protocol) => protocol.trim())
  return offered.find((protocol) => protocol.startsWith(SOCKET_TOKEN))?.slice(SOCKET_TOKEN.length)
}

/** Digests have one length, so comparing them does not tell how long the token is. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** 144 bits, in characters that need no escaping in a URL, a header or a subprotocol. */
export function makeToken(): string {
  return randomBytes(18).toString('base64url')
}

/** True for an address that other machines can't reach. */
export function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
