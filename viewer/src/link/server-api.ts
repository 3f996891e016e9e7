import { asList, asNumber, asObject, asText } from './guards.ts'

/** What the collector says of itself (`GET /api/server`). What an older one doesn't tell is undefined. */
export interface ServerFacts {
  readonly version: string
  readonly node: string | undefined
  readonly bound: readonly string[]
  readonly asksForToken: boolean
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly store: StoreFacts
  readonly retention: Retention | undefined
}

export interface StoreFacts {
  readonly path: string
  readonly bytes: number | undefined
  readonly diskFreeBytes: number | undefined
  /** Why nothing can be stored now, and what to do. */
  readonly problem: string | undefined
  readonly warning: { readonly code: string; readonly message: string } | undefined
}

/** An absent limit is none. */
export interface Retention {
  readonly runs: number | undefined
  readonly otherRuns: number | undefined
  readonly maxAgeMs: number | undefined
  readonly maxBytes: number | undefined
}

/** Where the server tells about itself. */
export const SERVER_PATH = '/api/server'

/** What the server told of itself; undefined when it is nothing that this page understands. */
export function readServerFacts(value: unknown): ServerFacts | undefined {
  const server = asObject(value)
  const version = asText(server?.['version'])
  const store = readStore(server?.['store'])
  if (server === undefined || version === undefined || store === undefined) return undefined
  return {
    version,
    node: asText(server['node']),
    bound: textsOf(server['bound']),
    asksForToken: server['asksForToken'] === true,
    allowedHosts: textsOf(server['allowedHosts']),
    allowedOrigins: textsOf(server['allowedOrigins']),
    store,
    retention: readRetention(server['retention']),
  }
}

function readStore(value: unknown): StoreFacts | undefined {
  const store = asObject(value)
  const path = asText(store?.['path'])
  if (store === undefined || path === undefined) return undefined
  const warning = asObject(store['warning'])
  const [code, message] = [asText(warning?.['code']), asText(warning?.['message'])]
  return {
    path,
    bytes: asNumber(store['bytes']),
    diskFreeBytes: asNumber(store['diskFreeBytes']),
    problem: asText(store['problem']),
    warning: code === undefined || message === undefined ? undefined : { code, message },
  }
}

function readRetention(value: unknown): Retention | undefined {
  const retention = asObject(value)
  if (retention === undefined) return undefined
  const keep = asObject(retention['keepRuns'])
  return {
    runs: asNumber(keep?.['count']) ?? asNumber(keep?.['together']),
    otherRuns: asNumber(keep?.['otherCount']),
    maxAgeMs: asNumber(retention['maxAgeMs']),
    maxBytes: asNumber(retention['maxBytes']),
  }
}

function textsOf(value: unknown): readonly string[] {
  return (asList(value) ?? []).filter((item): item is string => typeof item === 'string')
}
