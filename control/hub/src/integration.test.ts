import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSession, type Session, type SessionOptions } from '@graphmind-ai/client'
import { afterEach, describe, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { FakeUi, hubInMemory, until } from '../test-support/fake-peers.ts'
import type { HubOptions } from './hub.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A hub behind a real socket, as the collector puts it there. */
async function listeningHub(options: Partial<HubOptions> = {}) {
  const parts = hubInMemory({ breakpoints: [], ...options })
  const http = createServer()
  const sockets = new WebSocketServer({ server: http })
  const open = new Set<WebSocket>()
  sockets.on('connection', (socket) => {
    open.add(socket)
    const peer = {
      send: (text: string) => socket.send(text),
      close: (code: number, reason: string) => socket.close(code, reason),
      get bufferedBytes() {
        return socket.bufferedAmount
      },
    }
    const connection = parts.hub.connectApp(peer)
    socket.on('message', (data) => connection.receive(data.toString()))
    socket.on('close', () => {
      open.delete(socket)
      connection.closed()
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  cleanups.push(async () => {
    await parts.hub.dispose()
    for (const socket of open) socket.terminate()
    sockets.close()
    await new Promise((resolve) => http.close(resolve))
  })
  const cut = () => {
    for (const socket of open) socket.terminate()
  }
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ingest`
  return { ...parts, url, cut }
}

async function attached(url: string, options: SessionOptions = {}): Promise<{ session: Session; lines: string[] }> {
  const lines: string[] = []
  const session = createSession({
    url,
    env: {},
    spans: 'otlp',
    retryIntervalMs: 5,
    logger: { warn: (line) => lines.push(line) },
    ...options,
  })
  cleanups.push(() => session.dispose())
  expect(await session.ready()).toBe(true)
  return { session, lines }
}

/** A tool call of an agent: held where a breakpoint says so, with the input it then really runs with. */
function call(session: Session, id: string, name: string, input: Record<string, unknown>) {
  const ranWith: unknown[] = []
  const done = session
    .gate('before', { nodeId: `tool:${name}`, kind: 'tool', name, instanceId: id }, { runId: TRACE, input, editable: true })
    .then((decision) => {
      ranWith.push('input' in decision ? decision.input : input)
    })
  return { done, ranWith }
}

function heldCalls(hub: Awaited<ReturnType<typeof listeningHub>>['hub']) {
  return new Map(hub.pauses().map((pause) => [String(pause.payload['instanceId']), pause]))
}

/** Turns of the loop until the condition holds; sockets deliver in turns, so no time is waited for. */
async function eventually(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited 30 s for ${what}.`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('case 24, reconnect', () => {
  it('keeps a call held while no page is open, and lets the next page see and release it', async () => {
    const { hub, url, store } = await listeningHub()
    const { session } = await attached(url)
    const v1 = new FakeUi(hub)
    v1.setBreakpoint({ kind: 'tool', name: 'wire_money' })
    // The breakpoint travels through a socket: the agent calls until it is armed.
    let c1 = call(session, 'c1', 'wire_money', { amount: 40 })
    await eventually(() => {
      if (c1.ranWith.length > 0) c1 = call(session, 'c1', 'wire_money', { amount: 40 })
      return hub.pauses().length > 0
    }, 'a held call')
    v1.subscribe(TRACE)
    await until(() => v1.received('event').length > 0)
    v1.disconnect()
    expect(hub.pauses()).toHaveLength(1)
    const v2 = new FakeUi(hub)
    v2.subscribe(TRACE)
    await eventually(() => v2.received('replay.end').length === 1, 'the replay')
    const paused = v2.received('event').find(({ envelope }) => envelope.type === 'exec.paused')
    expect(paused?.envelope.payload).toMatchObject({ instanceId: 'c1', input: { amount: 40 } })
    expect(c1.ranWith).toEqual([])
    v2.resume(TRACE, { pauseId: String(heldCalls(hub).get('c1')?.pauseId), action: 'continue' })
    await c1.done
    expect(c1.ranWith).toEqual([{ amount: 40 }])
    await eventually(() => v2.received('resume.result').length === 1, 'the answer')
    expect(v2.received('resume.result')[0]?.outcome).toBe('resumed')
    expect(store.envelopes(TRACE, 'exec.resumed')).toHaveLength(1)
  })
})

describe('case 24, two at once', () => {
  it('holds two calls of one tool apart, and releases one with an edited input', async () => {
    const { hub, url, store } = await listeningHub({ breakpoints: [{ kind: 'tool', name: 'paint_wall' }] })
    const { session } = await attached(url)
    const a = call(session, 'a', 'paint_wall', { colour: 'red' })
    const b = call(session, 'b', 'paint_wall', { colour: 'blue' })
    await eventually(() => hub.pauses().length === 2, 'two held calls')
    const held = heldCalls(hub)
    expect(held.get('a')?.pauseId).not.toBe(held.get('b')?.pauseId)
    expect(held.get('a')?.payload['editable']).toBe(true)
    const viewer = new FakeUi(hub)
    viewer.resume(TRACE, { pauseId: String(held.get('b')?.pauseId), action: 'continue', input: { colour: 'green' } })
    await b.done
    expect(b.ranWith).toEqual([{ colour: 'green' }])
    expect(a.ranWith).toEqual([])
    await eventually(() => hub.pauses().length === 1, 'one held call')
    viewer.resume(TRACE, { pauseId: String(held.get('a')?.pauseId), action: 'continue' })
    await a.done
    expect(a.ranWith).toEqual([{ colour: 'red' }])
    await eventually(() => store.envelopes(TRACE, 'exec.resumed').length === 2, 'both in the record')
    expect(store.envelopes(TRACE, 'exec.resumed')[0]?.payload).toMatchObject({
      edited: { after: { colour: 'green' } },
      principal: 'viewer',
    })
  })
})

describe('client and hub together', () => {
  it('inject a value at an error gate, and both sides tell the same', async () => {
    const { hub, url, store } = await listeningHub({ breakpoints: [{ point: 'error' }] })
    const { session, lines } = await attached(url)
    const node = { nodeId: 'tool:rate', kind: 'tool', name: 'rate', instanceId: 'i' } as const
    const gate = session.gate('error', node, { runId: TRACE, error: new Error('no rate') })
    await eventually(() => hub.pauses().length === 1, 'a held call')
    expect(lines.join()).toContain('HOLDING tool rate')
    const answer = await hub.resume({
      runId: TRACE,
      pauseId: String(hub.pauses()[0]?.pauseId),
      action: 'inject',
      output: 1.08,
      principal: 'agent',
    })
    expect(answer).toEqual({ outcome: 'resumed' })
    expect(await gate).toEqual({ action: 'inject', output: 1.08 })
    await eventually(() => store.envelopes(TRACE, 'exec.resumed').length === 1, 'the record')
    expect(store.envelopes(TRACE, 'exec.resumed')[0]?.payload).toMatchObject({
      injected: { output: 1.08 },
      principal: 'agent',
      cause: 'viewer',
    })
  })

  it('let held calls go when the link is cut, come back, and double nothing', async () => {
    const { hub, url, store, cut } = await listeningHub({ breakpoints: [{}] })
    const { session } = await attached(url)
    const held = call(session, 'c', 'search', {})
    await eventually(() => hub.pauses().length === 1, 'a held call')
    cut()
    await held.done
    await eventually(() => session.attached, 'the client to come back')
    await eventually(() => store.envelopes(TRACE, 'exec.resumed').length === 2, 'the client’s own account')
    expect(store.envelopes(TRACE, 'exec.paused')).toHaveLength(1)
    expect(store.envelopes(TRACE, 'exec.resumed').map(({ payload }) => payload)).toMatchObject([
      { cause: 'link-lost' },
      { cause: 'link-lost' },
    ])
    expect(hub.pauses()).toEqual([])
  })

  it('take a thousand events and a second sender for what they are', async () => {
    const { url, store } = await listeningHub()
    const { session } = await attached(url, { spans: undefined })
    for (let index = 0; index < 1000; index += 1) session.emit('graph.hint', { nodes: [] }, { runId: 'run_x' })
    await eventually(() => store.events('run_x').length === 1000, 'all events')
    expect(store.envelopes('run_x').map(({ seq }) => seq)).toEqual([...Array(1000).keys()])
    const second = await attached(url, { spans: undefined, retryIntervalMs: 10_000 })
    second.session.emit('graph.hint', { nodes: [] }, { runId: 'run_x' })
    await eventually(() => second.lines.length > 0, 'the refusal')
    expect(second.lines[0]).toContain('second-sender')
  })
})
