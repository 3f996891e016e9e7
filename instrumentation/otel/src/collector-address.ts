import type { Environment } from '@graphmind-ai/client'

/** Where the collector listens: `channel` for the session (ws), `base` for everything else (http), without a slash at the end. */
export interface CollectorAddress {
  readonly channel: string
  readonly base: string
}

const DEFAULT_URL = 'ws://127.0.0.1:4747/ingest'

/** Asks `<base>/health`; undefined when nobody answered in time. */
export type HealthProbe = (base: string) => Promise<unknown>

/**
 * Finds the collector: the given url, else GRAPHMIND_URL, else an OTEL_* endpoint whose /health says graphmind, else 127.0.0.1:4747.
 * Answers at once, without a promise, whenever no endpoint has to be asked. Never rejects.
 */
export function findCollector(url: string | undefined, env: Environment, probe: HealthProbe): CollectorAddress | Promise<CollectorAddress> {
  const given = url ?? env['GRAPHMIND_URL']
  const known = given === undefined ? undefined : addressOf(given)
  if (known !== undefined) return known
  const fallback: CollectorAddress = addressOf(DEFAULT_URL) ?? { channel: DEFAULT_URL, base: 'http://127.0.0.1:4747' }
  const candidates = [env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'], env['OTEL_EXPORTER_OTLP_ENDPOINT']]
    .flatMap((endpoint) => (endpoint === undefined ? [] : [addressOf(endpoint)]))
    .filter((address) => address !== undefined)
  if (candidates.length === 0 || candidates.every((address) => address.base === fallback.base)) return fallback
  return askEach(candidates, fallback, probe)
}

async function askEach(candidates: readonly CollectorAddress[], fallback: CollectorAddress, probe: HealthProbe): Promise<CollectorAddress> {
  for (const address of candidates) {
    if (saysGraphMind(await probe(address.base))) return address
  }
  return fallback
}

function saysGraphMind(health: unknown): boolean {
  return (
    typeof health === 'object' && health !== null && 'name' in health && typeof health.name === 'string' && /graphmind/i.test(health.name)
  )
}

function addressOf(text: string): CollectorAddress | undefined {
  const url = URL.parse(text)
  if (url === null) return undefined
  const secure = url.protocol === 'https:' || url.protocol === 'wss:'
  if (!secure && url.protocol !== 'http:' && url.protocol !== 'ws:') return undefined
  const path = url.pathname.replace(/\/(ingest|v1\/traces)?\/?$/, '')
  const place = `${url.host}${path}`
  return { channel: `${secure ? 'wss' : 'ws'}://${place}/ingest`, base: `${secure ? 'https' : 'http'}://${place}` }
}
