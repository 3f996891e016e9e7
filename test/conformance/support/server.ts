import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { WebSocket } from 'ws'
import { startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'
import { dial, type Frame, RawPeer } from './peer.ts'

/** Another server to test, `http://host:port`; ours, freshly built and started, when it is not set. */
export const FOREIGN_URL = process.env['GRAPHMIND_CONFORMANCE_URL']

/** The server under test, started once for a file. What tests open on it is closed after each of them. */
export function serverUnderTest(): Server {
  const server = new Server()
  beforeAll(() => server.start())
  afterEach(() => server.leave())
  afterAll(() => server.stop())
  return server
}

export class Server {
  #url = FOREIGN_URL ?? ''
  #stop: () => Promise<void> = async () => undefined
  readonly #peers: RawPeer[] = []

  get url(): string {
    return this.#url
  }

  async start(...options: Parameters<typeof startCollector>): Promise<void> {
    if (FOREIGN_URL !== undefined) return
    const collector = await startCollector(...options)
    this.#url = collector.url
    this.#stop = () => collector.stop()
  }

  async stop(): Promise<void> {
    await this.leave()
    await this.#stop()
  }

  /** Takes back what tests set, also through viewers that are gone, and closes what they opened. */
  async leave(): Promise<void> {
    const left = this.#peers.flatMap((peer) => (peer instanceof Viewer ? peer.undo : []))
    if (left.length > 0) {
      const viewer = await this.viewer()
      for (const [type, payload] of left) await viewer.change(type, payload)
    }
    for (const peer of this.#peers.splice(0).reverse()) await peer.cut()
  }

  async connect(path: string, headers?: Record<string, string>): Promise<RawPeer> {
    return this.#dial(RawPeer, path, headers)
  }

  /** An app that has not said hello. */
  async silentApp(): Promise<App> {
    return this.#dial(App, '/ingest')
  }

  /** An app that said hello and was answered. */
  async app(hello: Frame = {}): Promise<App> {
    const app = await this.silentApp()
    await app.hello(hello)
    return app
  }

  /** A viewer that was welcomed. */
  async viewer(): Promise<Viewer> {
    const viewer = await this.#dial(Viewer, '/ws/ui')
    await viewer.message('welcome')
    return viewer
  }

  async get<Answer = Frame>(
    path: string,
    init?: RequestInit,
  ): Promise<{ readonly status: number; readonly body: Answer; readonly headers: Headers }> {
    const answer = await fetch(`${this.#url}${path}`, init)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: (text === '' ? undefined : JSON.parse(text)) as Answer }
  }

  post<Answer = Frame>(path: string, body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) {
    return this.get<Answer>(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  }

  /** All stored events of a run, once there are at least this many. */
  events(runId: string, atLeast: number): Promise<Frame[]> {
    return eventually(async () => {
      const { status, body } = await this.get<{ events: Frame[] }>(`/api/runs/${runId}/events?limit=5000`)
      return status === 200 && body.events.length >= atLeast ? body.events : undefined
    }, `${atLeast} events of ${runId}`)
  }

  /** The run's row, once it fits. */
  runWith(runId: string, fits: (run: Frame) => boolean = () => true): Promise<Frame> {
    return eventually(async () => {
      const run = await this.run(runId)
      return run !== undefined && fits(run) ? run : undefined
    }, `the row of ${runId}`)
  }

  async run(runId: string): Promise<Frame | undefined> {
    const { body } = await this.get<{ runs: Frame[] }>('/api/runs')
    return body.runs.find((run) => run['id'] === runId)
  }

  async #dial<Peer extends RawPeer>(Peer: new (socket: WebSocket) => Peer, path: string, headers?: Record<string, string>): Promise<Peer> {
    const peer = await dial(Peer, `${this.#url.replace('http', 'ws')}${path}`, headers)
    this.#peers.push(peer)
    return peer
  }
}

/** A run id that no other test has. */
export function newRunId(): string {
  return `run_${randomUUID()}`
}

/** A trace id that no other test has. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '')
}

/** A scripted instrumented program. */
export class App extends RawPeer {
  #seq = 0

  async hello(more: Frame = {}): Promise<Frame> {
    const payload = { versions: { protocol: 1, client: '0.2.0' }, capabilities: ['pause', 'step', 'inject', 'retry', 'abort'], ...more }
    const answers = this.controls('hello.ack').length
    this.envelope('hello', payload, '*', 0)
    return await this.control('hello.ack', answers + 1)
  }

  /** Sends an event with the next seq, or with this one. */
  event(type: string, payload: Frame, runId: string, seq?: number): void {
    this.envelope(type, payload, runId, seq ?? this.#seq++)
  }

  /** Sends events with seq 0, 1, 2 …, as one run. */
  run(runId: string, ...events: readonly (readonly [string, Frame])[]): void {
    events.forEach(([type, payload], seq) => {
      this.event(type, payload, runId, seq)
    })
  }

  envelope(type: string, payload: unknown, runId: string, seq: number, more: Frame = {}): void {
    this.send({ gm: 1, seq, ts: Date.now(), runId, type, payload, ...more })
  }

  pause(runId: string, pauseId: string, more: Frame = {}): void {
    this.event('exec.paused', { pauseId, nodeId: 'tool:search', point: 'before', ...more }, runId)
  }

  controls(type: string): Frame[] {
    return this.frames.filter((frame) => frame['type'] === type)
  }

  /** The `count`th control of this type. */
  control(type: string, count = 1): Promise<Frame> {
    return this.frame((frame) => frame['type'] === type, `${count} × ${type}`, count)
  }
}

/** A scripted viewer. */
export class Viewer extends RawPeer {
  /** What takes back this viewer's changes, so that other tests do not see them. */
  readonly undo: (readonly [string, Frame])[] = []

  messages(type: string): Frame[] {
    return this.frames.filter((frame) => frame['type'] === type)
  }

  message(type: string, count = 1): Promise<Frame> {
    return this.frame((frame) => frame['type'] === type, `${count} × ${type}`, count)
  }

  subscribe(runId: string, more: Frame = {}): void {
    this.send({ type: 'subscribe', runId, ...more })
  }

  /** The envelopes of the run that came so far. */
  events(runId: string): Frame[] {
    return this.messages('event').flatMap((message) => (message['runId'] === runId ? [message['envelope'] as Frame] : []))
  }

  /** The first envelope of this type in the run. */
  async event(runId: string, type: string): Promise<Frame> {
    return await this.until(() => this.events(runId).find((envelope) => envelope['type'] === type), `${type} of ${runId}`)
  }

  control(type: string, payload: Frame, runId = '*'): void {
    if (type === 'breakpoint.set') this.undo.push(['breakpoint.clear', payload])
    if (type === 'mode.set') this.undo.push(['mode.set', { mode: 'run' }])
    this.send({ type: 'control', envelope: { gm: 1, seq: 0, ts: Date.now(), runId, type, payload } })
  }

  /** Sends a change of the debug state and waits until it is answered. */
  async change(type: string, payload: Frame): Promise<Frame> {
    const answered = this.messages('state').length
    this.control(type, payload)
    return await this.message('state', answered + 1)
  }

  resume(runId: string, payload: Frame): void {
    this.control('exec.resume', payload, runId)
  }
}
