import { createSession, type RunContext, type Session } from '@graphmind-ai/client'
import { type FakeViewer, startFakeViewer } from '@graphmind-ai/client/testing'
import { afterEach, describe, expect, it } from 'vitest'

// contract/writing-an-adapter.md: an adapter as that page describes it, written against nothing but the public packages and tested
// with the fake viewer that they export. Each test is one of the page's promises.

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Tool = (input: unknown) => Promise<unknown>

/** Wraps a tool with the three gates of the page. */
function wrapTool(session: Session, context: RunContext | undefined, name: string, original: Tool): Tool {
  if (!session.enabled) return original
  let calls = 0
  const gated: Tool = async (input) => {
    calls += 1
    const node = { nodeId: `tool:${name}`, kind: 'tool', name, instanceId: `${name}-${calls}` } as const
    session.emit('node.started', { ...node, input })
    const before = await session.gate('before', node, { input })
    if (before.action === 'inject') return before.output
    if (before.action === 'abort') throw context?.signal.reason
    try {
      const output = await original(input)
      session.emit('node.finished', { nodeId: node.nodeId, instanceId: node.instanceId, output, durationMs: 0, status: 'ok' })
      const after = await session.gate('after', node, { input, output })
      if (after.action === 'inject') return after.output
      if (after.action === 'retry') return await gated(input)
      if (after.action === 'abort') throw context?.signal.reason
      return output
    } catch (error) {
      if (context?.signal.aborted === true) throw error
      session.emit('node.error', { nodeId: node.nodeId, instanceId: node.instanceId, error: { name: 'Error', message: String(error) } })
      const onError = await session.gate('error', node, { input, error })
      if (onError.action === 'inject') return onError.output
      if (onError.action === 'retry') return await gated(input)
      if (onError.action === 'abort') throw context?.signal.reason
      throw error
    }
  }
  return gated
}

async function adapterWith(points: readonly ('before' | 'after' | 'error')[]): Promise<{ viewer: FakeViewer; session: Session }> {
  const viewer = await startFakeViewer({ breakpoints: points.map((point) => ({ point })) })
  closers.push(() => viewer.close())
  const session = createSession({
    url: viewer.url,
    appName: 'my-framework-app',
    sdk: { name: 'my-framework', version: '1' },
    env: {},
    logger: { warn: () => undefined },
  })
  closers.push(() => session.dispose())
  expect(await session.ready()).toBe(true)
  return { viewer, session }
}

const failure = new Error('the tool’s own')
const works = (): { tool: Tool; ran: unknown[] } => {
  const ran: unknown[] = []
  return { ran, tool: async (input) => ran.push(input) }
}
const failsOnce = (): { tool: Tool; ran: unknown[] } => {
  const ran: unknown[] = []
  return {
    ran,
    tool: async (input) => {
      if (ran.push(input) === 1) throw failure
      return 'second time'
    },
  }
}

describe('observe', () => {
  it('the right events in the right order for a normal run', async () => {
    const { viewer, session } = await adapterWith([])
    const { tool } = works()
    await session.run('trip', async (context) => await wrapTool(session, context, 'search', tool)({ q: 1 }))
    await viewer.event('run.finished')
    expect(viewer.envelopes.map(({ type }) => type)).toEqual(['hello', 'run.started', 'node.started', 'node.finished', 'run.finished'])
    expect(new Set(viewer.envelopes.slice(1).map(({ runId }) => runId)).size).toBe(1)
  })

  it('a graph hint is shown before anything runs', async () => {
    const { viewer, session } = await adapterWith([])
    session.emit('graph.hint', { nodes: [{ nodeId: 'tool:search', kind: 'tool', name: 'search' }] })
    expect((await viewer.event('graph.hint')).payload.nodes).toEqual([{ nodeId: 'tool:search', kind: 'tool', name: 'search' }])
  })
})

describe('the four actions have exact meanings', () => {
  it.each<['before' | 'after' | 'error', 'continue' | 'retry' | 'inject' | 'abort', unknown, number]>([
    ['before', 'continue', 1, 1],
    ['before', 'retry', 1, 1],
    ['before', 'inject', 'injected', 0],
    ['before', 'abort', 'AbortError', 0],
    ['after', 'continue', 1, 1],
    ['after', 'retry', 2, 2],
    ['after', 'inject', 'injected', 1],
    ['after', 'abort', 'AbortError', 1],
    ['error', 'continue', failure, 1],
    ['error', 'retry', 'second time', 2],
    ['error', 'inject', 'injected', 1],
    ['error', 'abort', 'AbortError', 1],
  ])('at %s, %s', async (point, action, expected, times) => {
    const { viewer, session } = await adapterWith([point])
    const { tool, ran } = point === 'error' ? failsOnce() : works()
    const outcome = session
      .run('trip', async (context) => await wrapTool(session, context, 'search', tool)({ q: 1 }))
      .catch((error: unknown) => (error === failure ? error : (error as Error).name))
    viewer.resume(await viewer.event('exec.paused'), action, { output: 'injected' })
    if (point === 'after' && action === 'retry') viewer.resume(await viewer.event('exec.paused', 2), 'continue')
    expect(await outcome).toBe(expected)
    expect(ran).toHaveLength(times)
    expect((await viewer.event('run.finished')).payload.status).toBe(
      { [String(failure)]: 'error', AbortError: 'aborted' }[String(expected)] ?? 'ok',
    )
  })

  it('an injected output is passed through as it is', async () => {
    const { viewer, session } = await adapterWith(['before'])
    const result = wrapTool(session, undefined, 'search', works().tool)({})
    const odd = { jsonrpc: '2.0', nested: [null, { a: false }] }
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: odd })
    expect(await result).toEqual(odd)
  })
})

describe('parallel calls', () => {
  it('hold two pauses and are released one by one', async () => {
    const { viewer, session } = await adapterWith(['before'])
    const { tool, ran } = works()
    const search = wrapTool(session, undefined, 'search', tool)
    const [left, right] = [search('left'), search('right')]
    const [first, second] = [await viewer.event('exec.paused'), await viewer.event('exec.paused', 2)]
    viewer.resume(second, 'continue')
    await right
    expect(ran).toEqual(['right'])
    viewer.resume(first, 'continue')
    await left
    expect(ran).toEqual(['right', 'left'])
  })
})

describe('the invariants', () => {
  it('identity when disabled', () => {
    const session = createSession({ enabled: false, env: {} })
    const { tool } = works()
    expect(wrapTool(session, undefined, 'search', tool)).toBe(tool)
  })

  it('free when detached: a gate is one shared promise', async () => {
    const session = createSession({ url: 'ws://127.0.0.1:9/ingest', env: {}, logger: { warn: () => undefined } })
    closers.push(() => session.dispose())
    const node = { nodeId: 'tool:a', kind: 'tool', name: 'a' } as const
    void session.gate('before', node)
    expect(session.gate('before', node)).toBe(session.gate('after', node))
    expect(session.gating).toBe(false)
  })

  it('disconnect mid-hold releases the gates, and the call goes on', async () => {
    const { viewer, session } = await adapterWith(['before'])
    const { tool, ran } = works()
    const call = wrapTool(session, undefined, 'search', tool)({})
    await viewer.event('exec.paused')
    viewer.disconnect()
    await call
    expect(ran).toHaveLength(1)
  })

  it('a crash of the host’s function does not leave the session wedged', async () => {
    const { viewer, session } = await adapterWith(['before'])
    await expect(session.run('crash', () => Promise.reject(failure))).rejects.toBe(failure)
    const call = session.run('next', async (context) => await wrapTool(session, context, 'search', works().tool)({}))
    viewer.resume(await viewer.event('exec.paused'), 'inject', { output: 'fine' })
    expect(await call).toBe('fine')
  })

  it('the attach guarantee: ready() is true with a debugger, and fails open on time-out without one', async () => {
    const { session } = await adapterWith([])
    expect(await session.ready()).toBe(true)
    const alone = createSession({ url: 'ws://127.0.0.1:9/ingest', env: {}, logger: { warn: () => undefined } })
    closers.push(() => alone.dispose())
    expect(await alone.ready({ timeoutMs: 1 })).toBe(false)
    expect(await wrapTool(alone, undefined, 'search', works().tool)({})).toBe(1)
  })
})
