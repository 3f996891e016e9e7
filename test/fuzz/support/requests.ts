import { deflateSync, gzipSync } from 'node:zlib'
import { jsonText, mutateBytes, mutateJson } from './mutate.ts'
import type { Random } from './random.ts'
import type { Seeds } from './seeds.ts'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

const OTLP_PATHS = ['/v1/traces', '/v1/traces', '/v1/traces', '/v1/traces', '/v1/logs', '/v1/metrics'] as const
const TYPES = [
  'application/json',
  'application/x-protobuf',
  'application/json; charset=utf-8',
  'text/plain',
  'application/protobuf',
  '',
] as const
const ENCODINGS = ['gzip', 'deflate', 'identity', 'br', 'gzip, gzip', ''] as const
const ODD_TEXTS = [
  '',
  '0',
  '-1',
  '1e9',
  'NaN',
  '%00',
  '%ff',
  '..%2f..',
  "'; DROP TABLE runs;--",
  '*',
  '__proto__',
  'ä',
  '"',
  '9'.repeat(40),
] as const
const TRACE = '0123456789abcdef0123456789abcdef'

/** One request that an exporter, a viewer or nobody sane might send. */
export function nextRequest(random: Random, seeds: Seeds): FuzzRequest {
  const kind = random.next()
  if (kind < 0.4)
    return otlp(random, 'application/x-protobuf', mutateBytes(random, random.pick(seeds.protobuf), random.pick(seeds.protobuf)))
  if (kind < 0.75) return otlp(random, 'application/json', jsonBody(random, seeds.requests))
  if (kind < 0.9) return api(random)
  return write(random, seeds)
}

function jsonBody(random: Random, values: readonly unknown[]): Uint8Array {
  const text = Buffer.from(jsonText(random, mutateJson(random, random.pick(values))))
  return random.chance(0.2) ? mutateBytes(random, text, text) : text
}

function otlp(random: Random, type: string, plain: Uint8Array): FuzzRequest {
  const headers: Record<string, string> = { 'content-type': random.chance(0.05) ? random.pick(TYPES) : type }
  let body = plain
  if (random.chance(0.2)) {
    const isGzip = random.chance(0.6)
    const packed = isGzip ? gzipSync(plain, { level: 1 }) : deflateSync(plain, { level: 1 })
    headers['content-encoding'] = isGzip ? 'gzip' : 'deflate'
    body = random.chance(0.5) ? mutateBytes(random, packed, plain) : packed
  } else if (random.chance(0.05)) headers['content-encoding'] = random.pick(ENCODINGS)
  return { method: random.chance(0.02) ? 'PUT' : 'POST', path: random.pick(OTLP_PATHS), headers, body }
}

function api(random: Random): FuzzRequest {
  const text = () => encodeURI(random.pick(ODD_TEXTS)).replaceAll('%25', '%')
  const run = random.chance(0.5) ? TRACE : text()
  const paths = [
    `/api/runs?limit=${text()}&cursor=${text()}&q=${text()}`,
    `/api/runs/${run}/events?afterSeq=${text()}&limit=${text()}`,
    `/api/runs/${run}/spans?limit=${text()}`,
    `/api/runs/${run}/instances/${text()}`,
    `/api/runs/${run}/export?format=${text()}`,
    `/api/runs/${run}/pauses/${text()}`,
    `/api/pauses?${text()}=${text()}`,
    `/api/breakpoints?${text()}`,
    `/${text()}`,
  ]
  return { method: random.chance(0.1) ? random.pick(['HEAD', 'OPTIONS', 'PATCH']) : 'GET', path: random.pick(paths), headers: {} }
}

/** Verbs of the API with a JSON body, and imports with any. */
function write(random: Random, seeds: Seeds): FuzzRequest {
  const value = { action: 'continue', requestId: 'r', input: { a: 1 }, output: 'text' }
  const isImport = random.chance(0.5)
  const body = isImport
    ? random.chance(0.3)
      ? mutateBytes(random, random.pick(seeds.protobuf), random.pick(seeds.protobuf))
      : jsonBody(random, random.chance(0.2) ? seeds.requests : seeds.imports)
    : Buffer.from(jsonText(random, mutateJson(random, value)))
  return {
    method: 'POST',
    path: isImport ? '/api/import' : `/api/runs/${TRACE}/pauses/p1/resume`,
    headers: { 'content-type': random.chance(0.1) ? random.pick(TYPES) : isImport ? 'application/octet-stream' : 'application/json' },
    body,
  }
}
