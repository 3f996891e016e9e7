import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createSession, DEFAULT_URL, type Session, type SessionOptions } from '@graphmind-ai/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/process.ts'
import { clientUnderTest, everywhere, tool } from './support/client.ts'
import type { Frame } from './support/peer.ts'
import { ScriptedSocket } from './support/scripted-socket.ts'

// contract/client.md and wire-protocol.md, the client's transport: each test is one promise.

const { listen, session: sessionWith, attached } = clientUnderTest()

describe('hello', () => {
  it('is the first frame: one JSON text frame with versions, capabilities, app and sdk, run-independent', async () => {
    const { peer } = await attached({}, { appName: 'trip-planner', sdk: { name: 'ai', version: '7.0.79' } })
    expect(peer.frames[0]).toEqual({
      gm: 1,
      seq: expect.any(Number),
      ts: expect.any(Number),
      runId: '*',
      type: 'hello',
      payload: expect.objectContaining({
        versions: { protocol: 1, client: expect.any(String) },
        capabilities: expect.arrayContaining(['pause', 'step', 'inject', 'retry', 'abort']),
        app: 'trip-planner',
        sdk: { name: 'ai', version: '7.0.79' },
      }),
    })
    expect(Math.abs(Number(peer.frames[0]?.['ts']) - Date.now())).toBeLessThan(60_000)
  })

  it('names the active redaction switches and the sender, and shows the session token when it comes back', async () => {
    const { debug, peer, session } = await attached({ sessionToken: 'secret' }, { hideOutputs: true, retryIntervalMs: 1 })
    const first = await peer.payload('hello')
    expect(first).toMatchObject({ hide: ['hideOutputs'], senderId: expect.any(String) })
    expect(first).not.toHaveProperty('resumeToken')
    await peer.cut()
    const second = await (await debug.connection(2)).payload('hello')
    expect(second).toMatchObject({ resumeToken: 'secret', senderId: first['senderId'] })
    expect(session.attached).toBe(false)
  })

  it('is followed by nothing until the ack lands: until then the app is detached and every gate fails open', async () => {
    const debug = await listen()
    const { session } = sessionWith({ url: debug.url, handshakeTimeoutMs: 5000 })
    session.emit('graph.hint', { nodes: [] })
    const peer = await debug.connection()
    await peer.event('hello')
    expect(session.attached).toBe(false)
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
    expect(peer.frames).toHaveLength(1)
    peer.ack(everywhere)
    await peer.event('graph.hint')
    expect(session.attached).toBe(true)
  })
})

describe('the ack', () => {
  it('arms breakpoints and mode in one message', async () => {
    const { session, peer } = await attached({ breakpoints: [{ kind: 'llm' }], mode: 'step' })
    void session.gate('before', tool)
    void session.gate('before', { ...tool, kind: 'llm' })
    expect([await peer.payload('exec.paused'), await peer.payload('exec.paused', 2)].map(({ reason }) => reason)).toEqual([
      'step',
      'breakpoint',
    ])
  })

  it('of another protocol is rejected rather than guessed at: the client stays detached and says so', async () => {
    const debug = await listen()
    const { session, lines } = sessionWith({ url: debug.url })
    const ready = session.ready({ timeoutMs: 300 })
    const peer = await debug.connection()
    await peer.event('hello')
    peer.ack({ versions: { protocol: 2, viewer: '9' }, ...everywhere })
    expect(await ready).toBe(false)
    expect(lines.join()).toMatch(/protocol 2/)
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
  })

  it('in an envelope of another gm is rejected as well', async () => {
    const debug = await listen()
    const { session } = sessionWith({ url: debug.url })
    const ready = session.ready({ timeoutMs: 300 })
    const peer = await debug.connection()
    await peer.event('hello')
    peer.send({ gm: 2, seq: 0, ts: 0, runId: '*', type: 'hello.ack', payload: {} })
    expect(await ready).toBe(false)
  })

  it('may carry unknown fields and be surrounded by unknown types and broken frames: all are tolerated', async () => {
    const { session, peer } = await attached({ later: { any: 1 } })
    peer.control('agent.dream', { any: 1 })
    peer.sendText('not JSON')
    peer.control('breakpoint.set', { matcher: { kind: 'elephant' } })
    peer.control('exec.resume', { action: 'continue' })
    peer.control('breakpoint.set', { matcher: { name: 'search', later: true }, also: 1 })
    peer.control('mode.set', { mode: 'step' })
    await eventually(() => {
      void session.gate('before', tool)
      return session.stats().heldGates > 0 ? true : undefined
    }, 'the breakpoint')
    expect((await peer.payload('exec.paused'))['matcher']).toMatchObject({ name: 'search' })
  })
})

describe('every event', () => {
  it('is one envelope a frame, with a seq that grows by one and the sender’s clock', async () => {
    const { session, peer } = await attached()
    for (let index = 0; index < 5; index += 1) session.emit('graph.hint', { nodes: [] }, { runId: `run-${index % 2}` })
    await peer.event('graph.hint', 5)
    const events = peer.frames.slice(1)
    expect(events.map((event) => Object.keys(event).sort())).toEqual(events.map(() => ['gm', 'payload', 'runId', 'seq', 'ts', 'type']))
    expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4])
  })

  it('keeps what the adapter attached beyond the contract', async () => {
    const { session, peer } = await attached()
    session.emit('node.started', { ...tool, providerExecuted: true, extra: { deep: [1] } })
    expect(await peer.payload('node.started')).toMatchObject({ ...tool, providerExecuted: true, extra: { deep: [1] } })
  })
})

describe('GRAPHMIND_URL', () => {
  it('overrides the default endpoint ws://127.0.0.1:4747/ingest, and the option overrides both', async () => {
    expect(DEFAULT_URL).toBe('ws://127.0.0.1:4747/ingest')
    const dialledBy = (options: SessionOptions) => {
      ScriptedSocket.dialled = []
      const { session } = sessionWith({ webSocket: ScriptedSocket as never, ...options })
      session.connect()
      return ScriptedSocket.dialled[0]?.url
    }
    expect(dialledBy({ url: undefined })).toBe(DEFAULT_URL)
    expect(dialledBy({ url: undefined, env: { GRAPHMIND_URL: 'ws://127.0.0.1:5000/ingest' } })).toBe('ws://127.0.0.1:5000/ingest')
    expect(dialledBy({ url: 'ws://127.0.0.1:6000/ingest', env: { GRAPHMIND_URL: 'ws://127.0.0.1:5000/ingest' } })).toBe(
      'ws://127.0.0.1:6000/ingest',
    )
  })
})

describe('the clock of the transport', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    ScriptedSocket.dialled = []
  })
  afterEach(() => {
    // A session that still tries to connect would be given time to flush when it is disposed.
    for (const socket of ScriptedSocket.dialled) socket.drop()
    vi.useRealTimers()
  })

  const dials = () => ScriptedSocket.dialled.length
  const last = () => ScriptedSocket.dialled.at(-1) as ScriptedSocket

  function scripted(options: SessionOptions = {}): Session {
    return sessionWith({ webSocket: ScriptedSocket as never, ...options }).session
  }

  it.each<[string, (session: Session) => unknown]>([
    ['run', (session) => session.run('r', () => undefined)],
    ['emit', (session) => session.emit('graph.hint', { nodes: [] })],
    ['gate', (session) => session.gate('before', tool)],
    ['ready()', (session) => session.ready()],
  ])('nothing touches the network until the first run, emit, gate or ready(): %s', (_what, use) => {
    const session = scripted()
    expect(dials()).toBe(0)
    void use(session)
    expect(dials()).toBe(1)
  })

  it('connects get 300 ms, then the session retries every 10 s', () => {
    scripted().connect()
    vi.advanceTimersByTime(299)
    expect(last().isClosed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(last().isClosed).toBe(true)
    vi.advanceTimersByTime(9_999)
    expect(dials()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(dials()).toBe(2)
  })

  it('the handshake gets 1 s', () => {
    scripted().connect()
    last().open()
    vi.advanceTimersByTime(999)
    expect(last().isClosed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(last().isClosed).toBe(true)
  })

  it('connectTimeoutMs, handshakeTimeoutMs and retryIntervalMs change that', () => {
    scripted({ connectTimeoutMs: 50, handshakeTimeoutMs: 70, retryIntervalMs: 500 }).connect()
    vi.advanceTimersByTime(50)
    expect(last().isClosed).toBe(true)
    vi.advanceTimersByTime(500)
    expect(dials()).toBe(2)
    last().open()
    vi.advanceTimersByTime(70)
    expect(last().isClosed).toBe(true)
  })

  it('after losing an established attachment the first reconnects come after 200, 400 and 800 ms, then every 10 s', () => {
    scripted().connect()
    last().open()
    last().ack()
    last().drop()
    for (const wait of [200, 400, 800, 10_000, 10_000]) {
      const before = dials()
      vi.advanceTimersByTime(wait - 1)
      expect(dials()).toBe(before)
      vi.advanceTimersByTime(1)
      expect(dials()).toBe(before + 1)
      last().drop()
    }
  })

  it('ready() waits 2000 ms by default and then says false', async () => {
    const session = scripted()
    let answer: boolean | undefined
    void session.ready().then((attachedNow) => {
      answer = attachedNow
    })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(answer).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(answer).toBe(false)
  })

  it('ready() force-starts the connection and kicks an immediate reconnect instead of waiting out the interval', () => {
    const session = scripted()
    session.connect()
    last().drop()
    expect(dials()).toBe(1)
    void session.ready()
    expect(dials()).toBe(2)
  })
})

describe('ready()', () => {
  it('is true once the handshake is complete, with breakpoints and mode armed before it resolves', async () => {
    const { session } = await attached({ breakpoints: [{ name: 'search' }], mode: 'run' })
    void session.gate('before', tool)
    expect(session.stats().heldGates).toBe(1)
  })

  it('shares one connection attempt among concurrent calls, and is true at once when attached', async () => {
    const debug = await listen()
    const { session } = sessionWith({ url: debug.url })
    const calls = [session.ready(), session.ready(), session.ready()]
    const peer = await debug.connection()
    await peer.event('hello')
    peer.ack()
    expect(await Promise.all(calls)).toEqual([true, true, true])
    expect(debug.connections).toHaveLength(1)
    expect(await session.ready({ timeoutMs: 0 })).toBe(true)
  })

  it('never rejects: false when nobody is there, and at once when disposed or disabled', async () => {
    const { session } = sessionWith()
    expect(await session.ready({ timeoutMs: 1 })).toBe(false)
    await session.dispose()
    expect(await session.ready()).toBe(false)
    expect(await sessionWith({ enabled: false }).session.ready()).toBe(false)
  })

  it('re-arms after a disconnect', async () => {
    const { debug, session, peer } = await attached({}, { retryIntervalMs: 60_000 })
    await peer.cut()
    const ready = session.ready({ timeoutMs: 10_000 })
    const second = await debug.connection(2)
    await second.event('hello')
    second.ack()
    expect(await ready).toBe(true)
  })
})

describe('kill switches', () => {
  it.each<[Frame, boolean | undefined, boolean]>([
    [{ GRAPHMIND_DISABLED: '1' }, undefined, false],
    [{ GRAPHMIND_DISABLED: '1', GRAPHMIND: '1' }, true, false],
    [{}, false, false],
    [{ NODE_ENV: 'production' }, true, true],
    [{ NODE_ENV: 'production' }, undefined, false],
    [{ NODE_ENV: 'production', GRAPHMIND: '1' }, undefined, true],
    [{}, undefined, true],
    [{ NODE_ENV: 'development' }, undefined, true],
  ])('%j and enabled: %s → %s', (env, enabled, expected) => {
    expect(createSession({ env: env as Record<string, string>, enabled }).enabled).toBe(expected)
  })

  it('a disabled session opens no sockets, buffers nothing and warns of nothing', async () => {
    const debug = await listen()
    const { session, lines } = sessionWith({ url: debug.url, enabled: false })
    session.emit('node.started', { ...tool })
    expect(await session.gate('before', tool)).toEqual({ action: 'continue' })
    expect(session.stats()).toEqual({
      enabled: false,
      attached: false,
      buffered: 0,
      dropped: 0,
      lost: 0,
      pendingGaps: 0,
      heldGates: 0,
      seq: 0,
    })
    await session.dispose()
    expect(debug.connections).toEqual([])
    expect(lines).toEqual([])
  })

  it('a disabled session still runs the function and hands it a working context', async () => {
    const { session } = sessionWith({ enabled: false })
    const failure = new TypeError('the host’s own')
    const seen = await session.run('quiet', (context) => ({ id: context.runId, aborted: context.signal.aborted }))
    expect(seen).toEqual({ id: expect.any(String), aborted: false })
    await expect(session.run('bad', () => Promise.reject(failure))).rejects.toBe(failure)
  })
})

describe('the host process', () => {
  const client = JSON.stringify(new URL('../../control/client/dist/index.js', import.meta.url).href)

  async function program(body: string): Promise<{ code: number | null; output: string }> {
    const script = `import { createSession } from ${client}; ${body}`
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|GRAPHMIND)/.test(name)))
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env })
    let output = ''
    child.stdout.on('data', (data) => {
      output += String(data)
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }

  it('is never kept alive by an idle session, attached or not', async () => {
    const debug = await listen()
    const ended = program(
      `const session = createSession({ url: '${debug.url}' }); console.log(await session.ready()); session.emit('graph.hint', { nodes: [] })`,
    )
    const peer = await debug.connection()
    await peer.event('hello')
    peer.ack()
    expect(await ended).toEqual({ code: 0, output: 'true\n' })
    expect(await program(`createSession({ url: 'ws://127.0.0.1:9/ingest' }).emit('graph.hint', { nodes: [] })`)).toEqual({
      code: 0,
      output: '',
    })
  })

  it('never loses a held top-level await: it waits for the release, and goes on when the debugger dies', async () => {
    const debug = await listen()
    const hold = `const session = createSession({ url: '${debug.url}' }); await session.ready();
      console.log((await session.gate('before', ${JSON.stringify(tool)})).action)`
    for (const end of ['release', 'death']) {
      const ended = program(hold)
      const peer = await debug.connection(debug.connections.length + 1)
      await peer.event('hello')
      peer.ack(everywhere)
      const paused = await peer.event('exec.paused')
      if (end === 'release') peer.resume(paused, 'retry')
      else await peer.cut()
      expect(await ended).toEqual({ code: 0, output: end === 'release' ? 'retry\n' : 'continue\n' })
    }
  })
})
