import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { FakeViewer, type FakeViewerOptions } from '@graphmind-ai/client/testing'
import { WebSocketServer } from 'ws'
import { type ReceivedSpan, readSpans } from './otlp-reader.ts'

/** A collector for unit tests: the fake viewer on `/ingest` and a sink for spans on `/v1/traces`, on one port as in real life. */
export class FakeCollector {
  readonly viewer: FakeViewer
  /** Every span copy in order of arrival. */
  readonly spans: ReceivedSpan[] = []
  /** HTTP status that `/v1/traces` answers. */
  status = 200
  /** What `/health` says. */
  health: unknown = { ok: true, name: 'graphmind', version: 'fake' }
  readonly #server: Server

  readonly #token: string | undefined

  constructor(server: Server, { token, ...options }: FakeCollectorOptions) {
    this.#server = server
    this.#token = token
    const verifyClient = ({ req }: { req: IncomingMessage }, done: (letIn: boolean, status?: number) => void) =>
      done(this.#letsIn(req), 401)
    this.viewer = new FakeViewer(new WebSocketServer({ server, verifyClient }), options)
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  get url(): string {
    return this.viewer.url
  }

  /** The copy of a phase of the span with this name, as soon as it is there; the newest when there are several. */
  async span(name: string, phase: 'start' | 'end'): Promise<ReceivedSpan> {
    const find = () => this.spans.findLast((span) => span.name === name && span.attributes['graphmind.span.phase'] === phase)
    await this.until(() => find() !== undefined, `the ${phase} copy of ${name}`)
    const found = find()
    if (found === undefined) throw new Error('unreachable')
    return found
  }

  /** Resolves once the condition holds; asked again with every turn of the event loop. */
  async until(condition: () => boolean, what = 'the condition', limitMs = 5000): Promise<void> {
    const endMs = performance.now() + limitMs
    while (!condition()) {
      if (performance.now() > endMs)
        throw new Error(`Waited ${limitMs} ms for ${what}. Spans: ${this.spans.map((span) => span.name).join(', ')}`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  async close(): Promise<void> {
    this.viewer.disconnect()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.viewer.close()
  }

  #letsIn({ headers }: IncomingMessage): boolean {
    return this.#token === undefined || headers.authorization === `Bearer ${this.#token}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url === '/health') {
      response.end(JSON.stringify(this.health))
      return
    }
    if (!this.#letsIn(request)) {
      response.writeHead(401).end()
      return
    }
    if (this.status === 200) this.spans.push(...readSpans(Buffer.concat(chunks)))
    response.writeHead(request.url === '/v1/traces' ? this.status : 404).end()
  }
}

export interface FakeCollectorOptions extends FakeViewerOptions {
  /** What callers of all but `/health` have to bring. */
  readonly token?: string
}

/** Starts on 127.0.0.1; on the port of an earlier one to play a restart. */
export async function startFakeCollector(options: FakeCollectorOptions = {}): Promise<FakeCollector> {
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return new FakeCollector(server, options)
}
