import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { type Collector, type CollectorOptions, startCollector } from '../collector.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Ask {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Uint8Array | string
  /** Sends the body in pieces, without a length. */
  readonly chunked?: boolean
}

/** A collector of its own on a free port, in memory unless `db` is given. */
export async function testCollector(options: Partial<CollectorOptions> = {}): Promise<Collector> {
  const started = await startCollector({ port: 0, db: ':memory:', ...options })
  if (!started.ok) throw new Error(started.problem.message)
  return started.value
}

export function ask(port: number, path: string, { method = 'GET', headers = {}, body, chunked = false }: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
    })
    request.on('error', reject)
    const bytes = body === undefined ? undefined : Buffer.from(body)
    if (bytes !== undefined && !chunked) request.setHeader('content-length', bytes.byteLength)
    if (bytes !== undefined && chunked) for (let at = 0; at < bytes.length; at += 1000) request.write(bytes.subarray(at, at + 1000))
    request.end(chunked ? undefined : bytes)
  })
}

export async function askJson(port: number, path: string): Promise<{ readonly [key: string]: unknown }> {
  const { status, body } = await ask(port, path)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body.toString()}`)
  return JSON.parse(body.toString())
}

/** Posts JSON to an OTLP path. */
export function post(port: number, value: unknown, path = '/v1/traces'): Promise<Answer> {
  return ask(port, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
}
