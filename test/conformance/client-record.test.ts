import type { SessionOptions } from '@graphmind-ai/client'
import { describe, expect, it } from 'vitest'
import { type ClientPeer, clientUnderTest, everywhere, tool } from './support/client.ts'
import type { Frame } from './support/peer.ts'

// contract/client.md: what is recorded, kept, replayed, lost, hidden and cut; runs; and that nothing of it reaches the host.

const { listen, session: sessionWith, attached } = clientUnderTest()
const hint = (session: { emit: (type: 'graph.hint', payload: { nodes: [] }, options?: { runId: string }) => void }, runId = 'run-1') =>
  session.emit('graph.hint', { nodes: [] }, { runId })

async function attachLate(url: string, debug: Awaited<ReturnType<typeof listen>>, ready: Promise<boolean>): Promise<ClientPeer> {
  const peer = await debug.connection()
  await peer.event('hello')
  peer.ack()
  expect([url, await ready]).toEqual([url, true])
  return peer
}

describe('the ring buffer', () => {
  it('is replayed whole on attach, oldest first, with the original seq', async () => {
    const debug = await listen()
    const { session } = sessionWith({ url: debug.url })
    for (let index = 0; index < 20; index += 1) hint(session, `run-${index % 3}`)
    const peer = await attachLate(debug.url, debug, session.ready({ timeoutMs: 10_000 }))
    await peer.event('graph.hint', 20)
    expect(peer.frames.slice(1).map(({ seq, runId }) => [seq, runId])).toEqual(
      Array.from({ length: 20 }, (_, seq) => [seq, `run-${seq % 3}`]),
    )
  })

  it('is replayed again on every later attach, and what comes after it follows', async () => {
    const { debug, session, peer } = await attached({}, { retryIntervalMs: 1 })
    hint(session)
    await peer.event('graph.hint')
    await peer.cut()
    hint(session)
    const second = await debug.connection(2)
    await second.event('hello')
    second.ack()
    await second.event('graph.hint', 2)
    hint(session)
    await second.event('graph.hint', 3)
    expect(second.frames.slice(1).map(({ seq }) => seq)).toEqual([0, 1, 2])
  })

  it('keeps 5000 events by default and drops the oldest; bufferSize changes that', () => {
    const { session } = sessionWith()
    for (let index = 0; index < 5003; index += 1) hint(session)
    expect(session.stats()).toMatchObject({ buffered: 5000, dropped: 3, lost: 3, seq: 5003 })
    const small = sessionWith({ bufferSize: 2 }).session
    for (let index = 0; index < 3; index += 1) hint(small)
    expect(small.stats()).toMatchObject({ buffered: 2, dropped: 1 })
  })

  it('keeps 8 MiB by default, whichever bound comes first; maxBufferBytes changes that', () => {
    const large = (session: ReturnType<typeof sessionWith>['session']) =>
      session.emit('node.finished', { nodeId: 'n', instanceId: 'i', durationMs: 1, status: 'ok', output: 'x'.repeat(400 * 1024) })
    const { session } = sessionWith()
    for (let index = 0; index < 30; index += 1) large(session)
    expect(session.stats().buffered).toBe(20)
    const small = sessionWith({ maxBufferBytes: 1024 * 1024 }).session
    for (let index = 0; index < 30; index += 1) large(small)
    expect(small.stats().buffered).toBe(2)
  })
})

describe('loss', () => {
  it('is announced by a gap marker on the next attach: a real graph.hint with count, seq range and reason', async () => {
    const debug = await listen()
    const { session } = sessionWith({ url: debug.url, bufferSize: 3 })
    for (let index = 0; index < 10; index += 1) hint(session)
    expect(session.stats()).toMatchObject({ lost: 7, pendingGaps: 1 })
    const peer = await attachLate(debug.url, debug, session.ready({ timeoutMs: 10_000 }))
    const marker = await peer.event('graph.hint', 4)
    expect(marker).toMatchObject({
      gm: 1,
      runId: 'run-1',
      payload: { nodes: [], gap: { droppedCount: 7, fromSeq: 0, toSeq: 6, reason: expect.any(String) } },
    })
    expect(session.stats()).toMatchObject({ lost: 7, pendingGaps: 0 })
  })

  it('is said in the program’s own log, at most once in the interval', () => {
    const { session, lines } = sessionWith({ bufferSize: 1 })
    for (let index = 0; index < 50; index += 1) hint(session)
    expect(lines.filter((line) => /lost/.test(line))).toHaveLength(1)
  })

  it('does not count frames that were delivered and then aged out', async () => {
    const { session, peer } = await attached({}, { bufferSize: 2 })
    for (let index = 0; index < 5; index += 1) {
      hint(session)
      await peer.event('graph.hint', index + 1)
    }
    expect(session.stats()).toMatchObject({ buffered: 2, dropped: 3, lost: 0, pendingGaps: 0 })
  })
})

describe('stats()', () => {
  it('has exactly the fields of the contract', () => {
    expect(Object.keys(sessionWith().session.stats()).sort()).toEqual(
      ['enabled', 'attached', 'buffered', 'dropped', 'lost', 'pendingGaps', 'heldGates', 'seq'].sort(),
    )
  })
})

describe('redaction', () => {
  const node = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 't' } as const
  const llm = { nodeId: 'llm:step', kind: 'llm', name: 'step', instanceId: 'l' } as const
  const HIDDEN = '__REDACTED__'

  /** What arrives of one tool call and one model call under these switches. */
  async function recorded(options: SessionOptions) {
    const { session, peer } = await attached({}, options)
    for (const one of [node, llm]) {
      session.emit('node.started', { ...one, input: 'in' })
      session.emit('node.finished', { ...one, output: 'out', durationMs: 1, status: 'ok', usage: { inputTokens: 1, outputTokens: 2 } })
    }
    session.emit('node.token', {
      nodeId: 'llm:step',
      instanceId: 'l',
      deltas: [
        { t: 'text', v: 'abc' },
        { t: 'tool-args', v: '{}' },
      ],
    })
    session.emit('node.error', { ...node, error: { name: 'E', message: 'may echo data' } })
    await peer.event('node.error')
    const payloads = (type: string) => peer.events(type).map(({ payload }) => payload as Frame)
    return {
      inputs: payloads('node.started').map(({ input }) => input),
      outputs: payloads('node.finished').map(({ output }) => output),
      deltas: payloads('node.token')
        .flatMap(({ deltas }) => deltas as Frame[])
        .map(({ v, chars }) => [v, chars]),
      all: payloads('node.started'),
      finished: payloads('node.finished'),
      error: payloads('node.error')[0],
    }
  }

  it.each<[string, SessionOptions, readonly unknown[], readonly unknown[], readonly unknown[]]>([
    [
      'nothing',
      {},
      ['in', 'in'],
      ['out', 'out'],
      [
        ['abc', undefined],
        ['{}', undefined],
      ],
    ],
    [
      'hideInputs',
      { hideInputs: true },
      [HIDDEN, HIDDEN],
      ['out', 'out'],
      [
        ['abc', undefined],
        ['', 2],
      ],
    ],
    [
      'hideOutputs',
      { hideOutputs: true },
      ['in', 'in'],
      [HIDDEN, HIDDEN],
      [
        ['', 3],
        ['', 2],
      ],
    ],
    [
      'hideToolArgs',
      { hideToolArgs: true },
      [HIDDEN, 'in'],
      ['out', 'out'],
      [
        ['abc', undefined],
        ['{}', undefined],
      ],
    ],
    [
      'hideToolResults',
      { hideToolResults: true },
      ['in', 'in'],
      [HIDDEN, 'out'],
      [
        ['abc', undefined],
        ['{}', undefined],
      ],
    ],
    [
      'GRAPHMIND_HIDE_INPUTS',
      { env: { GRAPHMIND_HIDE_INPUTS: '1' } },
      [HIDDEN, HIDDEN],
      ['out', 'out'],
      [
        ['abc', undefined],
        ['', 2],
      ],
    ],
    [
      'GRAPHMIND_HIDE_OUTPUTS',
      { env: { GRAPHMIND_HIDE_OUTPUTS: 'TRUE' } },
      ['in', 'in'],
      [HIDDEN, HIDDEN],
      [
        ['', 3],
        ['', 2],
      ],
    ],
    [
      'GRAPHMIND_HIDE_TOOL_ARGS',
      { env: { GRAPHMIND_HIDE_TOOL_ARGS: 'true' } },
      [HIDDEN, 'in'],
      ['out', 'out'],
      [
        ['abc', undefined],
        ['{}', undefined],
      ],
    ],
    [
      'GRAPHMIND_HIDE_TOOL_RESULTS',
      { env: { GRAPHMIND_HIDE_TOOL_RESULTS: '1' } },
      ['in', 'in'],
      [HIDDEN, 'out'],
      [
        ['abc', undefined],
        ['{}', undefined],
      ],
    ],
    [
      '1 and "true" as options',
      { hideInputs: 1, hideOutputs: 'true' },
      [HIDDEN, HIDDEN],
      [HIDDEN, HIDDEN],
      [
        ['', 3],
        ['', 2],
      ],
    ],
  ])('%s', async (_switch, options, inputs, outputs, deltas) => {
    const seen = await recorded(options)
    expect([seen.inputs, seen.outputs, seen.deltas]).toEqual([inputs, outputs, deltas])
  })

  it('the environment is a floor that code can’t lower', async () => {
    const seen = await recorded({ env: { GRAPHMIND_HIDE_INPUTS: '1' }, hideInputs: false })
    expect(seen.inputs).toEqual([HIDDEN, HIDDEN])
  })

  it('affected events say what was hidden; names, kinds, ids, timings, token counts and errors stay', async () => {
    const seen = await recorded({ hideInputs: true, hideOutputs: true })
    expect(seen.all[0]).toEqual({ ...node, input: HIDDEN, redaction: { count: 1, keys: ['input'] } })
    expect(seen.finished[0]).toMatchObject({
      durationMs: 1,
      usage: { inputTokens: 1, outputTokens: 2 },
      redaction: { count: 1, keys: ['output'] },
    })
    expect(seen.error).toMatchObject({ error: { message: 'may echo data' } })
    expect(seen.error).not.toHaveProperty('redaction')
  })

  it('runs before the buffer: a debugger that attaches late sees only the placeholder, in holds as well', async () => {
    const debug = await listen()
    const { session } = sessionWith({ url: debug.url, hideInputs: true, hideOutputs: true })
    session.emit('node.started', { ...node, input: 'canary' })
    const ready = session.ready({ timeoutMs: 10_000 })
    const peer = await debug.connection()
    await peer.event('hello')
    peer.ack(everywhere)
    await ready
    const gate = session.gate('after', node, { input: 'canary', output: 'canary' })
    peer.resume(await peer.event('exec.paused'), 'inject', { output: 'canary' })
    expect(await gate).toEqual({ action: 'inject', output: 'canary' })
    await peer.event('exec.resumed')
    expect(JSON.stringify(peer.frames)).not.toContain('canary')
  })
})

describe('an oversize payload', () => {
  it('over 512 KB is shrunk with markers before it is buffered, with one warning for its type', async () => {
    const { session, peer, lines } = await attached()
    for (let index = 0; index < 2; index += 1) session.emit('node.started', { ...tool, input: { text: 'x'.repeat(600_000) } })
    const payload = await peer.payload('node.started', 2)
    expect(payload).toMatchObject({ ...tool, __graphmindTruncated: true, bytes: expect.any(Number), fields: ['input'] })
    expect(payload['input']).toMatchObject({ __graphmindTruncated: true, preview: expect.any(String) })
    expect(JSON.stringify(payload).length).toBeLessThan(512 * 1024)
    expect(lines.filter((line) => line.includes('node.started'))).toHaveLength(1)
  })
})

describe('session.run', () => {
  it('opens and ends a run of its own: run.started with app, sdk and name, run.finished with ok, error or aborted', async () => {
    const { session, peer } = await attached({}, { appName: 'trips', sdk: { name: 'ai', version: '7' }, meta: { region: 'eu' } })
    expect(await session.run('fine', () => 7)).toBe(7)
    const failure = new TypeError('the host’s own')
    await expect(session.run('bad', () => Promise.reject(failure))).rejects.toBe(failure)
    await peer.event('run.finished', 2)
    expect(await peer.payload('run.started')).toMatchObject({
      app: 'trips',
      sdk: { name: 'ai', version: '7' },
      meta: { region: 'eu', name: 'fine' },
    })
    expect(peer.events('run.finished').map(({ payload }) => payload)).toMatchObject([
      { status: 'ok' },
      { status: 'error', error: { name: 'TypeError', message: 'the host’s own' } },
    ])
  })

  it('keeps its context through async calls: concurrent runs do not mix', async () => {
    const { session, peer } = await attached()
    const later = async (name: string) => {
      await new Promise((resolve) => setImmediate(resolve))
      session.emit('graph.hint', { nodes: [{ nodeId: name, kind: 'tool', name }] })
      return session.currentRun()?.runId
    }
    const ids = await Promise.all(['a', 'b'].map((name) => session.run(name, () => later(name))))
    await peer.event('graph.hint', 2)
    expect(peer.events('graph.hint').map(({ runId }) => runId)).toEqual(ids)
    expect(new Set(ids).size).toBe(2)
  })

  it('hands every function a signal of its own', async () => {
    const { session } = sessionWith()
    const signals = await Promise.all([session.run('a', ({ signal }) => signal), session.run('b', ({ signal }) => signal)])
    expect(signals[0]).not.toBe(signals[1])
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false])
  })

  it('is not needed: events outside of every run are collected in one', async () => {
    const { session, peer } = await attached()
    session.emit('graph.hint', { nodes: [] })
    session.emit('graph.hint', { nodes: [] })
    await peer.event('graph.hint', 2)
    expect(new Set(peer.frames.slice(1).map(({ runId }) => runId)).size).toBe(1)
    expect(peer.events('run.started')).toHaveLength(1)
  })
})

describe('the host', () => {
  it('never sees an error of ours: not from odd values, odd run ids, a broken logger or a broken address', async () => {
    const { session } = sessionWith({
      url: 'not an address',
      bufferSize: 1,
      logger: {
        warn() {
          throw new Error('the host’s logger')
        },
      },
    })
    const cycle: Record<string, unknown> = { big: 1n }
    cycle['self'] = cycle
    const getter = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw new Error('the host’s getter')
      },
    })
    for (const input of [cycle, getter, Symbol('s'), () => undefined, undefined]) session.emit('node.started', { ...tool, input })
    session.emit('graph.hint', { nodes: [] }, { runId: '\0' })
    session.emit('graph.hint', undefined as never)
    expect(await session.gate('before', tool, { runId: '\ud800' })).toEqual({ action: 'continue' })
    expect(await session.ready({ timeoutMs: 1 })).toBe(false)
    await session.dispose()
    await session.dispose()
    session.emit('graph.hint', { nodes: [] })
    expect(session.stats().attached).toBe(false)
  })

  it('gets one warning a kind in an interval, however often it goes wrong', () => {
    const { session, lines } = sessionWith()
    for (let index = 0; index < 100; index += 1) session.emit('graph.hint', { nodes: [] }, { runId: '\0' })
    expect(lines).toHaveLength(1)
    const loud = sessionWith({ warnIntervalMs: 0 })
    for (let index = 0; index < 3; index += 1) loud.session.emit('graph.hint', { nodes: [] }, { runId: '\0' })
    expect(loud.lines).toHaveLength(3)
  })

  it('keeps a dispose that is quick: what was recorded before it is sent, nothing after', async () => {
    const { session, peer } = await attached()
    hint(session)
    await session.dispose()
    await peer.closed()
    expect(peer.events('graph.hint')).toHaveLength(1)
    hint(session)
    expect(peer.events('graph.hint')).toHaveLength(1)
  })
})
