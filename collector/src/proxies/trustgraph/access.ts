import type { IncomingMessage } from 'node:http'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a handshake may pass, in words when it may not. The proxy must not lead web pages to a gateway that they could not reach
 * themselves: the Host is this machine, and an Origin is this machine or on the list (`*` for any).
 */
export function refusalOf({ headers }: Pick<IncomingMessage, 'headers'>, allowedOrigins: readonly string[]): string | undefined {
  const host = hostnameOf(`http://${headers.host ?? ''}`)
  if (host === undefined || !LOOPBACK.has(host)) return 'The Host of this request is not this machine.'
  const { origin } = headers
  if (origin === undefined || allowedOrigins.includes('*') || allowedOrigins.includes(origin.toLowerCase())) return undefined
  const from = hostnameOf(origin)
  if (from !== undefined && LOOPBACK.has(from)) return undefined
  return 'Pages of this origin may not use the proxy. Name it in GRAPHMIND_ALLOWED_ORIGINS to let them.'
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
