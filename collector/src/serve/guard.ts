import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { failed, ok, type Result } from '../problem.ts'

export interface GuardOptions {
  /** Ports we listen on. */
  readonly ports: () => ReadonlySet<number>
  /** We listen where others can reach us: addresses are ours too, whatever the port, since it may be forwarded. Names are not: a page could rebind one. */
  readonly isReachable: boolean
  /** Further Host values, `name` or `name:port`, lower case. */
  readonly allowedHosts: readonly string[]
  /** Further Origin values, lower case; `*` for any. */
  readonly allowedOrigins: readonly string[]
}

export type Guard = (headers: IncomingHttpHeaders) => Result<void>

/**
 * The check every request and upgrade passes before anything else (design 10): the Host is ours, so a page that rebinds a name to
 * loopback is refused, and so is an Origin that is not ours.
 */
export function createGuard(options: GuardOptions): Guard {
  return ({ host, origin }) => {
    if (host === undefined || !isOurs(host.toLowerCase(), options)) {
      return failed(
        'host',
        `Host "${host ?? ''}" is not this server. Use 127.0.0.1 or localhost with its port, or name the host in GRAPHMIND_ALLOWED_HOSTS.`,
      )
    }
    if (origin === undefined || isOwnOrigin(origin.toLowerCase(), host.toLowerCase(), options)) return ok(undefined)
    return failed('origin', `Origin "${origin}" may not talk to this server. Name it in GRAPHMIND_ALLOWED_ORIGINS if it should.`)
  }
}

function isOurs(host: string, { ports, isReachable, allowedHosts }: GuardOptions): boolean {
  const { name, port } = splitHost(host)
  if (allowedHosts.includes(host) || allowedHosts.includes(name)) return true
  if (isReachable && (isLoopbackName(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0)) return true
  return isLoopbackName(name) && ports().has(port)
}

function isOwnOrigin(origin: string, host: string, options: GuardOptions): boolean {
  if (options.allowedOrigins.includes('*') || options.allowedOrigins.includes(origin)) return true
  const own = /^https?:\/\/(.+)$/.exec(origin)?.[1]
  return own !== undefined && (own === host || isOurs(own, { ...options, allowedHosts: [] }))
}

function splitHost(host: string): { readonly name: string; readonly port: number } {
  const match = /^(\[[0-9a-f:.]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(host)
  return { name: match?.[1] ?? '', port: match?.[2] === undefined ? 80 : Number(match[2]) }
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}
