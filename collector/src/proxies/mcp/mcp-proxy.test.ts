import type { PausePoint, ResumeAction } from '@graphmind-ai/schema'
import { afterEach, describe, expect, it } from 'vitest'
import { type McpSession, type McpSessionOptions, startMcpSession } from '../testing/mcp-session.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function session(options: McpSessionOptions = {}): Promise<McpSession> {
  const started = await startMcpSession(options)
  cleanups.push(async () => {
    started.interrupt()
    await started.exitCode
    await started.viewer.close()
  })
  return started
}

const holdingAt = (point: PausePoint, kind?: 'tool' | 'llm' | 'custom') => ({
  viewer: { breakpoints: [{ point, ...(kind === undefined ? {} : { kind }) }], hubCapabilities: ['edit-input'] },
})

/** Holds the first call alone: a breakpoint taken back later would race with the next call, which comes another way. */
const holdingOnceAt = (point: PausePoint, kind: 'tool' | 'llm') => ({
  viewer: { breakpoints: [{ id: 'first', point, kind, once: true }], hubCapabilities: ['edit-input'] },
})

/** The node's events as `type status`, in order. */
function fatesOf({ viewer }: McpSession, nodeId: string): readonly string[] {
  return viewer.envelopes.flatMap(({ type, payload }) => {
    const { nodeId: id, status } = payload as { nodeId?: string; status?: string }
    return id === nodeId && type.startsWith('node.') ? [`${type}${status === undefined ? '' : ` ${status}`}`] : []
  })
}

/** The lines that the server says it received. */
function receivedBy({ result }: { readonly [key: string]: unknown }): readonly string[] {
  const { content } = result as { content: [{ text: string }] }
  return JSON.parse(content[0].text)
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] })
const aborted = (id: number | string) => ({ jsonrpc: '2.0', id, error: { code: -32099, message: 'Aborted in GraphMind' } })

describe('a relayed session', () => {
  it('is a server with its calls below it', async () => {
    const s = await session()
    s.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
    await s.answer(0)
    s.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    s.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    s.call(2, 'echo', { n: 1 })
    s.send({ jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'file:///a' } })
    s.send({ jsonrpc: '2.0', id: 4, method: 'prompts/get', params: { name: 'greet' } })
    s.call(5, 'sample')
    await s.until(() => s.output().includes('sampling/createMessage'))
    s.send({ jsonrpc: '2.0', id: 's-5', result: { role: 'assistant', model: 'm-1', content: { type: 'text', text: 'hi' } } })
    await s.answer(5)
    await s.viewer.until(() => fatesOf(s, 'tool:sample').length === 2)
    const started = s.viewer.events('node.started').map(({ payload: { nodeId, kind, parentId, name } }) => [nodeId, kind, name, parentId])
    expect(started).toContainEqual(['mcp:session', 'server', 'test-server', undefined])
    expect(started).toContainEqual(['mcp:protocol', 'custom', 'protocol', 'mcp:session'])
    expect(started).toContainEqual(['mcp:initialize', 'custom', 'initialize', 'mcp:protocol'])
    expect(started).toContainEqual(['mcp:notifications/initialized', 'custom', 'notifications/initialized', 'mcp:protocol'])
    expect(started).toContainEqual(['tool:echo', 'tool', 'echo', 'mcp:session'])
    expect(started).toContainEqual(['resource:file:///a', 'resource', 'file:///a', 'mcp:session'])
    expect(started).toContainEqual(['prompt:greet', 'prompt', 'greet', 'mcp:session'])
    expect(started).toContainEqual(['llm:sampling', 'llm', 'sampling', 'mcp:session'])
    expect(s.viewer.events('graph.hint').flatMap(({ payload }) => payload.nodes.map(({ nodeId }) => nodeId))).toEqual([
      'tool:echo',
      'tool:fail',
    ])
    expect(s.viewer.events('node.finished').find(({ payload }) => payload.nodeId === 'llm:sampling')?.payload.model).toBe('m-1')
    expect(new Set(s.viewer.events('node.started').map(({ runId }) => runId)).size).toBe(1)
  })

  it('is called like its command, with paths shortened, and has all of it in its metadata', async () => {
    const s = await session({ command: '/no/such/folder/at/all/server', args: ['--root', 'a/b/c/d'] })
    await s.exitCode
    const { meta } = (await s.viewer.event('run.started')).payload
    expect(meta?.['name']).toBe('at/all/server --root a/b/c/d')
    expect(meta?.['command']).toEqual(['/no/such/folder/at/all/server', '--root', 'a/b/c/d'])
  })

  it('passes every byte on as it was spelled, both ways', async () => {
    const s = await session()
    const odd = '{"params" :{"name":"received","arguments":{ }},"method":"tools\\/call", "id":7,"x":1.0,"jsonrpc":"2.0"}'
    s.send(`${odd}\r\n`)
    expect(receivedBy(await s.answer(7))).toEqual([odd])
    const before = s.output().length
    s.call(8, 'odd')
    await s.until(() => s.output().endsWith('\r\n'))
    expect(s.output().slice(before)).toBe(
      '{"result": {"content":[{"text":"\\u00fc\\/ é", "type":"text"}],"n": 1.0, "n":1e2},"id":8 ,"jsonrpc":"2.0"}\r\n',
    )
  })

  it('leaves a request without an answer running, until the server is gone', async () => {
    const s = await session()
    s.call(1, 'silent')
    s.call(2, 'echo', { n: 1 })
    await s.answer(2)
    expect(fatesOf(s, 'tool:silent')).toEqual(['node.started'])
    s.call(3, 'crash')
    expect(await s.exitCode).toBe(3)
    await s.viewer.event('run.finished')
    expect(fatesOf(s, 'tool:silent')).toEqual(['node.started', 'node.error'])
    const [error] = s.viewer.events('node.error').filter(({ payload }) => payload.nodeId === 'tool:silent')
    expect(error?.payload.error).toEqual({ name: 'McpServerExited', message: 'The server exited with code 3 before it answered.' })
  })

  it('ends a request that its sender gave up as aborted', async () => {
    const s = await session()
    s.call(1, 'silent')
    s.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await s.viewer.until(() => fatesOf(s, 'tool:silent').length === 2)
    expect(fatesOf(s, 'tool:silent')).toEqual(['node.started', 'node.finished aborted'])
  })

  it('joins the caller’s run when the call brings trace context', async () => {
    const s = await session()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    s.call(1, 'echo', { n: 1 }, { traceparent })
    await s.answer(1)
    const finished = await s.viewer.waitFor(
      ({ type, payload }) => type === 'node.finished' && (payload as { nodeId: string }).nodeId === 'tool:echo',
    )
    expect(finished.runId).toBe('0af7651916cd43dd8448eb211c80319c')
    const [started] = s.viewer.events('node.started').filter(({ runId }) => runId === finished.runId)
    expect(started?.payload).toMatchObject({ nodeId: 'tool:echo', parentInstanceId: 'b7ad6b7169203331', traceId: finished.runId })
    expect(started?.payload.parentId).toBeUndefined()
  })

  it('tells the messages of a batch, and marks that they can’t be held', async () => {
    const s = await session(holdingAt('before'))
    s.send([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'silent' } }])
    await s.viewer.until(() => fatesOf(s, 'tool:silent').length === 1)
    expect(s.viewer.events('node.started').find(({ payload }) => payload.nodeId === 'tool:silent')?.payload.ungated).toBe('batch')
  })

  it('streams the server’s log to its node and to the terminal', async () => {
    const s = await session()
    await s.viewer.event('node.token')
    expect(s.viewer.events('node.token')[0]?.payload).toMatchObject({ nodeId: 'mcp:session', deltas: [{ t: 'text', v: 'ready\n' }] })
    expect(s.said()).toContain('ready\n')
  })

  it('shows what the server prints on stdout beside the protocol, up to 25 lines, and relays it', async () => {
    const s = await session()
    s.send({ jsonrpc: '2.0', id: 0, method: 'ping' })
    s.call(1, 'noise')
    await s.answer(1)
    const errors = () => s.viewer.events('node.error').filter(({ payload }) => payload.nodeId === 'mcp:stdout-noise')
    await s.viewer.until(() => errors().length === 25)
    expect(errors()[0]?.payload.error.message).toContain(`: “debug line 0 ${'ü'.repeat(93)}…”`)
    expect(s.output()).toContain(`debug line 29 ${'ü'.repeat(200)}\n`)
    s.hangUp()
    expect(await s.exitCode).toBe(0)
    await s.viewer.event('run.finished')
    const group = s.viewer.events('node.finished').find(({ payload }) => payload.nodeId === 'mcp:protocol')
    expect(group?.payload.output).toEqual({ calls: 1, errors: 0, stdoutNoise: 30 })
  })
})

describe('a held request of the client', () => {
  it.each<[ResumeAction, unknown, string]>([
    ['continue', { ...text('{"n":1}') }, 'node.finished ok'],
    ['retry', { ...text('{"n":1}') }, 'node.finished ok'],
    ['inject', text('instead'), 'node.finished ok'],
    ['abort', undefined, 'node.finished aborted'],
  ])('%s', async (action, result, fate) => {
    const s = await session(holdingOnceAt('before', 'tool'))
    s.call(1, 'echo', { n: 1 })
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ nodeId: 'tool:echo', point: 'before', input: { n: 1 }, editable: true })
    expect(s.said()).toContain(`HOLDING tools/call #1 at the before gate — resume it in http://127.0.0.1:${s.viewer.port}`)
    s.viewer.resume(paused, action, action === 'inject' ? { output: 'instead' } : {})
    expect(await s.answer(1)).toEqual(result === undefined ? aborted(1) : { jsonrpc: '2.0', id: 1, result })
    await s.viewer.until(() => fatesOf(s, 'tool:echo').includes(fate))
    expect(fatesOf(s, 'tool:echo')).toEqual(['node.started', fate])
    s.call(2, 'received')
    const received = JSON.stringify((await s.answer(2))['result'])
    expect(received.includes('echo')).toBe(action === 'continue' || action === 'retry')
    expect(s.said()).toMatch(new RegExp(`RELEASED tools/call #1 at the before gate after \\d+\\.\\d s: ${action}`))
  })

  it('goes on with edited arguments, and nothing else of it changes', async () => {
    const s = await session(holdingOnceAt('before', 'tool'))
    s.send(
      '{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"echo","arguments":{"big":12345678901234567890,"n":1},"_meta":{"k":1.50}}}\n',
    )
    const paused = await s.viewer.event('exec.paused')
    s.viewer.resume(paused, 'continue', { input: { n: 2 } })
    await s.answer(1)
    s.call(2, 'received')
    expect(receivedBy(await s.answer(2))[0]).toBe(
      '{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"echo","arguments":{"big":12345678901234567890,"n":2},"_meta":{"k":1.50}}}',
    )
  })

  it('stays held when an edit does not fit the listed schema', async () => {
    const s = await session(holdingAt('before', 'tool'))
    s.send({ jsonrpc: '2.0', id: 0, method: 'tools/list' })
    await s.answer(0)
    s.call(1, 'echo', { n: 1 })
    const paused = await s.viewer.event('exec.paused')
    s.viewer.resume(paused, 'continue', { input: { n: 'two' } })
    expect((await s.viewer.event('exec.refused')).payload.code).toBe('schema')
    s.viewer.resume(paused, 'continue', { input: { n: 3 } })
    expect(await s.answer(1)).toMatchObject({ result: text('{"n":3}') })
  })

  it('goes on when the debugger goes away, and says so', async () => {
    const s = await session(holdingAt('before', 'tool'))
    s.call(1, 'echo', { n: 1 })
    await s.viewer.event('exec.paused')
    await s.viewer.close()
    expect(await s.answer(1)).toMatchObject({ result: text('{"n":1}') })
    expect(s.said()).toContain('continue, as GraphMind is gone')
  })

  it('holds up what comes behind it in its direction, and nothing in the other', async () => {
    const s = await session(holdingAt('before', 'tool'))
    s.call(1, 'echo', { n: 1 })
    const paused = await s.viewer.event('exec.paused')
    s.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    s.viewer.resume(paused, 'continue')
    await s.answer(2)
    const ids = s.frames().map((frame) => (frame as { id: number }).id)
    expect(ids).toEqual([1, 2])
  })
})

describe('a client that gives up waiting', () => {
  const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })

  it.each(['before', 'after'] as const)('carries on with its session when nobody resumes the call at its %s gate', async (point) => {
    const s = await session({ viewer: { breakpoints: [{ name: 'echo', point }] } })
    s.call(1, 'echo', { n: 1 })
    await s.viewer.event('exec.paused')
    s.call(2, 'echo', { n: 2 })
    s.send(cancel(2))
    s.send(cancel(1))
    s.call(3, 'count')
    expect(await s.answer(3)).toMatchObject({ result: text('call 1') })
    expect((await s.viewer.event('exec.resumed')).payload).toMatchObject({ action: 'continue', cause: 'disposed' })
  })

  it('leaves the server the requests and what gave them up, in order', async () => {
    const s = await session({ viewer: { breakpoints: [{ name: 'echo' }] } })
    s.call(1, 'echo', { n: 1 })
    await s.viewer.event('exec.paused')
    s.send(cancel(1))
    s.call(2, 'received')
    const methods = receivedBy(await s.answer(2)).map((line) => JSON.parse(line).method)
    expect(methods).toEqual(['tools/call', 'notifications/cancelled', 'tools/call'])
  })

  it('still gets a held call through when it only hung up', async () => {
    const s = await session({ viewer: { breakpoints: [{ name: 'echo' }] } })
    s.call(1, 'echo', { n: 1 })
    const paused = await s.viewer.event('exec.paused')
    s.hangUp()
    s.viewer.resume(paused, 'continue')
    expect(await s.answer(1)).toMatchObject({ result: text('{"n":1}') })
    expect(await s.exitCode).toBe(0)
  })
})

describe('a held answer of the server', () => {
  it.each<[ResumeAction, unknown, readonly string[]]>([
    ['continue', text('call 1'), ['node.started', 'node.finished ok']],
    ['inject', text('instead'), ['node.started', 'node.finished ok']],
    ['retry', text('call 2'), ['node.started', 'node.finished ok', 'node.started', 'node.finished ok']],
    ['abort', undefined, ['node.started', 'node.finished aborted']],
  ])('%s', async (action, result, fates) => {
    const s = await session(holdingAt('after', 'tool'))
    s.call(1, 'count')
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ point: 'after', output: text('call 1') })
    s.viewer.resume(paused, action, action === 'inject' ? { output: 'instead' } : {})
    if (action === 'retry') s.viewer.resume(await s.viewer.event('exec.paused', 2), 'continue')
    expect(await s.answer(1)).toEqual(result === undefined ? aborted(1) : { jsonrpc: '2.0', id: 1, result })
    await s.viewer.until(() => fatesOf(s, 'tool:count').length === fates.length)
    expect(fatesOf(s, 'tool:count')).toEqual(fates)
    expect(s.frames().length).toBe(1)
  })
})

describe('a held failure', () => {
  it.each<[ResumeAction, unknown, readonly string[]]>([
    ['continue', { error: { code: -32000, message: 'first time' } }, ['node.started', 'node.error']],
    ['inject', { result: { ...text('{"ok":true}'), structuredContent: { ok: true } } }, ['node.started', 'node.finished ok']],
    ['retry', { result: text('second time') }, ['node.started', 'node.error', 'node.started', 'node.finished ok']],
    ['abort', { error: aborted(1).error }, ['node.started', 'node.finished aborted']],
  ])('%s', async (action, outcome, fates) => {
    const s = await session(holdingAt('error'))
    s.call(1, 'failOnce')
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ reason: 'error', error: { name: 'JsonRpcError', message: 'first time' } })
    s.viewer.resume(paused, action, action === 'inject' ? { output: { ok: true } } : {})
    expect(await s.answer(1)).toEqual({ jsonrpc: '2.0', id: 1, ...(outcome as object) })
    await s.viewer.until(() => fatesOf(s, 'tool:failOnce').length === fates.length)
    expect(fatesOf(s, 'tool:failOnce')).toEqual(fates)
  })

  it('is also a tool result that says so', async () => {
    const s = await session(holdingAt('error'))
    s.call(1, 'fail')
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload.error).toEqual({ name: 'ToolError', message: 'out of order' })
    s.viewer.resume(paused, 'continue')
    expect(await s.answer(1)).toMatchObject({ result: { isError: true } })
  })

  it('is a tool result that says so also without a breakpoint, unless that is switched off', async () => {
    const s = await session()
    s.call(1, 'fail')
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ point: 'error', reason: 'breakpoint', smart: { rule: 'error-result' } })
    s.viewer.resume(paused, 'continue')
    expect(await s.answer(1)).toMatchObject({ result: { isError: true } })

    const off = await session({ environment: { GRAPHMIND_BREAK_ON_ERROR_RESULT: 'off' } })
    off.call(1, 'fail')
    expect(await off.answer(1)).toMatchObject({ result: { isError: true } })
    expect(off.viewer.events('exec.paused')).toEqual([])
  })

  it('goes to the server again with edited arguments', async () => {
    const s = await session(holdingAt('error'))
    s.call(1, 'fail', { n: 1 })
    const paused = await s.viewer.event('exec.paused')
    s.viewer.resume(paused, 'retry', { input: { n: 2 } })
    const again = await s.viewer.event('exec.paused', 2)
    expect(again.payload.input).toEqual({ n: 2 })
    s.viewer.resume(again, 'continue')
    await s.answer(1)
    expect(
      s.viewer
        .events('node.started')
        .filter(({ payload }) => payload.nodeId === 'tool:fail')
        .map(({ payload }) => payload.attempt),
    ).toEqual([undefined, 2])
  })
})

describe('a held request of the server', () => {
  const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } }
  it.each<[PausePoint, ResumeAction, unknown]>([
    ['before', 'continue', sampled],
    ['before', 'retry', sampled],
    ['before', 'inject', { role: 'assistant', content: { type: 'text', text: 'instead' }, model: 'graphmind', stopReason: 'endTurn' }],
    ['before', 'abort', aborted('s-1').error],
    ['after', 'continue', sampled],
    ['after', 'retry', sampled],
    ['after', 'inject', { role: 'assistant', content: { type: 'text', text: 'instead' }, model: 'graphmind', stopReason: 'endTurn' }],
    ['after', 'abort', aborted('s-1').error],
    ['error', 'continue', { code: -1, message: 'no' }],
    ['error', 'retry', sampled],
    ['error', 'inject', { role: 'assistant', content: { type: 'text', text: 'instead' }, model: 'graphmind', stopReason: 'endTurn' }],
    ['error', 'abort', aborted('s-1').error],
  ])('%s: %s', async (point, action, seen) => {
    const s = await session(holdingOnceAt(point, 'llm'))
    s.call(1, 'sample')
    const requests = () => s.output().split('sampling/createMessage').length - 1
    const reply = (outcome: object) => s.send({ jsonrpc: '2.0', id: 's-1', ...outcome })
    if (point !== 'before') {
      await s.until(() => requests() === 1)
      reply(point === 'error' ? { error: { code: -1, message: 'no' } } : { result: sampled })
    }
    const paused = await s.viewer.event('exec.paused')
    s.viewer.resume(paused, action, action === 'inject' ? { output: 'instead' } : {})
    const asksAgain = point === 'before' ? action === 'continue' || action === 'retry' : action === 'retry'
    if (asksAgain) {
      await s.until(() => requests() === (point === 'before' ? 1 : 2))
      reply({ result: sampled })
    }
    const { content } = (await s.answer(1))['result'] as { content: [{ text: string }] }
    expect(JSON.parse(content[0].text)).toEqual(seen)
  })
})

describe('a held notification', () => {
  it.each<[ResumeAction, unknown]>([
    ['continue', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } }],
    ['retry', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } }],
    ['inject', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 'boo' } }],
    ['abort', undefined],
  ])('%s', async (action, seen) => {
    const s = await session({ viewer: { breakpoints: [{ name: 'notifications/message' }] } })
    s.call(1, 'notify')
    const paused = await s.viewer.event('exec.paused')
    s.viewer.resume(paused, action, action === 'inject' ? { output: { level: 'error', data: 'boo' } } : {})
    await s.answer(1)
    expect(s.frames().slice(0, -1)).toEqual(seen === undefined ? [] : [seen])
  })
})

describe('an abort', () => {
  it('marks the run, and the session carries on', async () => {
    const s = await session(holdingAt('before', 'tool'))
    s.call(1, 'echo', { n: 1 })
    s.viewer.resume(await s.viewer.event('exec.paused'), 'abort')
    expect(await s.answer(1)).toEqual(aborted(1))
    s.call(2, 'echo', { n: 2 })
    s.viewer.resume(await s.viewer.event('exec.paused', 2), 'continue')
    expect(await s.answer(2)).toMatchObject({ result: text('{"n":2}') })
    s.hangUp()
    expect(await s.exitCode).toBe(0)
    expect((await s.viewer.event('run.finished')).payload.status).toBe('aborted')
  })
})

describe('a whole frame typed by a person', () => {
  it('goes to the client as it is', async () => {
    const s = await session(holdingAt('before', 'tool'))
    s.call(1, 'echo', {})
    const output = { jsonrpc: '2.0', error: { code: -32602, message: 'no such tool' } }
    s.viewer.resume(await s.viewer.event('exec.paused'), 'inject', { output })
    expect(await s.answer(1)).toEqual({ ...output, id: 1 })
    await s.viewer.until(() => fatesOf(s, 'tool:echo').includes('node.error'))
  })
})

describe('the end of the server', () => {
  it('gives the proxy its exit code, and its last words are on the server node', async () => {
    const s = await session()
    s.call(1, 'crash')
    expect(await s.exitCode).toBe(3)
    expect(s.said()).toContain('The server exited with code 3 while the client was still connected.\n  | ready\n  | the disk is on fire')
    expect((await s.viewer.event('run.finished')).payload.status).toBe('error')
    const [error] = s.viewer.events('node.error').filter(({ payload }) => payload.nodeId === 'mcp:session')
    expect(error?.payload.error).toMatchObject({ name: 'McpServerExitedEarly', message: expect.stringContaining('the disk is on fire') })
  })

  it('is 127 for a command that does not exist', async () => {
    const s = await session({ command: 'there-is-no-such-command', args: [] })
    expect(await s.exitCode).toBe(127)
    expect(s.said()).toContain('there is no command "there-is-no-such-command". Check its spelling and the PATH.')
    const error = await s.viewer.event('node.error')
    expect(error.payload.error.name).toBe('SpawnError')
  })

  it('comes of the one program that was named, with its arguments as they are; no shell reads them and no port is opened', async () => {
    const servers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length
    const before = servers()
    const args = ['-e', 'console.error(JSON.stringify(process.argv.slice(1))); process.exit(3)', '--', '$(exit 9)', '; exit 8', '"a b"']
    const s = await session({ args })
    // The debugger that the session reports to is in this process as well.
    expect(servers() - before).toBeLessThanOrEqual(1)
    expect(await s.exitCode).toBe(3)
    expect(s.said()).toContain(JSON.stringify(args.slice(3)))
  })

  it('is its signal for one that was killed', async () => {
    const s = await session({ args: ['-e', 'process.kill(process.pid, "SIGKILL")'] })
    expect(await s.exitCode).toBe(137)
  })

  it('comes in order when the client hangs up', async () => {
    const s = await session()
    s.call(1, 'echo', { n: 1 })
    await s.answer(1)
    s.hangUp()
    expect(await s.exitCode).toBe(0)
    expect((await s.viewer.event('run.finished')).payload.status).toBe('ok')
  })

  it('is asked for when the server ignores that the client hung up', async () => {
    const s = await session({ args: ['-e', 'setInterval(() => undefined, 1000)'] })
    s.hangUp()
    expect(await s.exitCode).toBe(143)
  })

  it('is forced when the server ignores being asked too', async () => {
    const s = await session({
      args: ['-e', 'process.on("SIGTERM", () => undefined); console.error("up"); setInterval(() => undefined, 1000)'],
    })
    await s.until(() => s.said().includes('up'))
    s.interrupt()
    expect(await s.exitCode).toBe(137)
  })
})

describe('without GraphMind', () => {
  it('relays when it is disabled', async () => {
    const s = await session({ environment: { GRAPHMIND_DISABLED: '1' }, waitForAttach: false })
    s.call(1, 'odd')
    await s.until(() => s.output().endsWith('\r\n'))
    s.hangUp()
    expect(await s.exitCode).toBe(0)
    expect(s.viewer.connections).toBe(0)
  })

  it('relays when nothing listens', async () => {
    const s = await session({ port: 1, waitForAttach: false, trace: true })
    s.call(1, 'echo', { n: 1 })
    expect(await s.answer(1)).toMatchObject({ result: text('{"n":1}') })
    expect(s.said()).toContain('→ tools/call #1 (')
    expect(s.said()).toContain('← result #1 (')
  })
})

describe('a frame above the ceiling', () => {
  it('is relayed, and the graph ends there', async () => {
    const s = await session({ maxFrameBytes: 1000, ...holdingAt('before', 'tool') })
    s.call(1, 'large', { bytes: 5000 })
    s.viewer.resume(await s.viewer.event('exec.paused'), 'continue')
    const answer = await s.answer(1)
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: text('x'.repeat(5000)) })
    expect(s.said()).toContain('a frame of the server is larger than 1000 bytes: relaying goes on, the graph ends here.')
    await s.viewer.event('run.finished')
    s.call(2, 'echo', { n: 1 })
    expect(await s.answer(2)).toMatchObject({ result: text('{"n":1}') })
    s.hangUp()
    expect(await s.exitCode).toBe(0)
  })
})

describe('the redaction switches', () => {
  it('keep arguments of the command out of the run when inputs are hidden', async () => {
    const s = await session({ environment: { GRAPHMIND_HIDE_INPUTS: '1' } })
    s.call(1, 'echo', { n: 'canary' })
    await s.answer(1)
    await s.viewer.until(() => fatesOf(s, 'tool:echo').length === 2)
    const events = JSON.stringify(s.viewer.envelopes.filter(({ type }) => type === 'run.started' || type === 'node.started'))
    expect(events).not.toContain('mcp-server.mjs')
    expect(events).not.toContain('canary')
  })

  it('keep a failed tool’s result out of its error when tool results are hidden', async () => {
    const s = await session({ environment: { GRAPHMIND_HIDE_TOOL_RESULTS: '1' } })
    s.call(1, 'fail')
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload.smart).toEqual({ rule: 'error-result' })
    s.viewer.resume(paused, 'continue')
    await s.answer(1)
    await s.viewer.event('node.error')
    expect(JSON.stringify(s.viewer.envelopes)).not.toContain('out of order')
  })
})
