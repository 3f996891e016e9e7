import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { Caller, ControlLevel } from '@graphmind-ai/hub'
import { failed, ok, type Result } from '../problem.ts'

/** WebSockets of browsers can't send headers, so their token comes as a second subprotocol; the first is the one that is spoken. */
export const SOCKET_PROTOCOL = 'graphmind'
const SOCKET_TOKEN = 'graphmind.token.'

type Shown = Pick<IncomingHttpHeaders, 'authorization' | 'sec-websocket-protocol'>

/** Who a request is from, judged by the token it carries. The time that takes tells nothing about the tokens. */
export interface Access {
  /**
   * Who asks the API or opens a viewer's socket. A token that is not known here lets nobody in, even where none is needed: the token of
   * an agent that has gone stale must not open more than it did.
   */
  callerOf(shown: Shown): Result<Caller>
  /** Whether a program may report. Where no token is needed any will do: exporters also send what is meant for another server. */
  mayReport(shown: Shown): Result<unknown>
}

/** What agents and commands of this user show, and how far they may control programs. */
export interface AgentAccess {
  readonly token: string
  readonly level: ControlLevel
}

/** `token` is what everybody has to show; without one, whoever reaches this port may do everything. */
export function createAccess(token: string | undefined, agent?: AgentAccess): Access {
  const known: (readonly [digest: Buffer, caller: Caller])[] = []
  if (token !== undefined) known.push([digest(token), { principal: 'viewer', level: 'edit' }])
  if (agent !== undefined) known.push([digest(agent.token), { principal: 'agent', level: agent.level }])
  const callerOf = ({ authorization, 'sec-websocket-protocol': protocols }: Shown): Result<Caller> => {
    const shown = tokenOf(authorization, protocols)
    if (shown === undefined) return token === undefined ? ok({ principal: 'anonymous', level: 'edit' }) : failed('token', TOKEN_NEEDED)
    const digested = digest(shown)
    // All are compared, whichever fits.
    const [found] = known.filter(([wanted]) => timingSafeEqual(digested, wanted))
    return found === undefined ? failed('token', TOKEN_UNKNOWN) : ok(found[1])
  }
  return { callerOf, mayReport: (shown) => (token === undefined ? ok(undefined) : callerOf(shown)) }
}

const TOKEN_NEEDED =
  'This server asks for its token. Open the link that graphmind serve printed, set GRAPHMIND_TOKEN, or send the header Authorization: Bearer <token>.'
const TOKEN_UNKNOWN =
  'This is not the token of this server. Take the one that graphmind serve printed: without GRAPHMIND_TOKEN there is a new one at each start.'

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
