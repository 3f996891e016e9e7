import type { PausePoint, ResumeAction } from '@graphmind-ai/schema'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type End, type StageOptions, startTrustGraphStage, type TrustGraphStage } from '../testing/trustgraph.ts'

let stages: TrustGraphStage[] = []
afterEach(async () => {
  for (const stage of stages) await stage.stop()
  stages = []
})

async function staged(options: StageOptions = {}) {
  const stage = await startTrustGraphStage(options)
  stages.push(stage)
  const { client, server } = await stage.connect()
  return { ...stage, client, server }
}

const holdingAt = (...points: PausePoint[]) => ({ viewer: { breakpoints: points.map((point) => ({ point })) } })

const ask = (id: string, request: object = { system: 's', prompt: 'p' }, service = 'text-completion') =>
  JSON.stringify({ id, service, request, flow: 'default' })
// Spelled as the gateway spells.
const answer = (id: string, text: string, complete = true) =>
  `{"id": "${id}", "response": {"response": "${text}", "end_of_stream": ${complete}}, "complete": ${complete}}`
const failure = (id: string) => `{"id": "${id}", "response": {"error": {"type": "llm-error", "message": "overloaded"}}, "complete": true}`
const injected = (id: string, text: string) => ({ id, response: { response: text, end_of_stream: true }, complete: true })
const aborted = (id: string) => ({ id, error: { type: 'aborted', message: 'Aborted in GraphMind' }, complete: true })

const texts = ({ received }: End) => received.map(({ text }) => text)
const values = (end: End) => texts(end).map((text) => JSON.parse(text) as unknown)

/** The instance's events as `type status`. */
function fates({ viewer }: TrustGraphStage, instanceId: string): readonly string[] {
  return viewer.envelopes.flatMap(({ type, payload }) => {
    const { instanceId: id, status } = payload as { instanceId?: string; status?: string }
    return id === instanceId && /^node\.(started|finished|error)$/.test(type) ? [`${type}${status === undefined ? '' : ` ${status}`}`] : []
  })
}

describe('a request held before the gateway sees it', () => {
  it.each<[ResumeAction, boolean]>([
    ['continue', true],
    ['retry', true],
    ['inject', false],
    ['abort', false],
  ])('%s', async (action, isSent) => {
    const s = await staged(holdingAt('before'))
    s.client.send(ask('a'))
    const paused = await s.viewer.event('exec.paused')
    expect(s.said()).toContain('HOLDING text-completion #a at the before gate — resume it in http://127.0.0.1:')
    s.viewer.resume(paused, action, action === 'inject' ? { output: 'Blue.' } : {})
    if (isSent) {
      await s.server.count(1)
      expect(texts(s.server)).toEqual([ask('a')])
      s.server.send(answer('a', 'Red.'))
    }
    await s.client.count(1)
    if (isSent) expect(texts(s.client)).toEqual([answer('a', 'Red.')])
    else expect(values(s.client)).toEqual([action === 'inject' ? injected('a', 'Blue.') : aborted('a')])
    await s.viewer.until(() => fates(s, 'c1:a').length === 2)
    expect(fates(s, 'c1:a')).toEqual(['node.started', action === 'abort' ? 'node.finished aborted' : 'node.finished ok'])
    s.client.send(ask('b'))
    s.viewer.resume(await s.viewer.event('exec.paused', 2), 'continue')
    await s.server.count(isSent ? 2 : 1)
    expect(texts(s.server).at(-1)).toBe(ask('b'))
  })

  it('lets everything else pass: other requests’ answers, authentication, pings', async () => {
    const s = await staged({ viewer: { breakpoints: [{ kind: 'tool' }] } })
    s.client.send(ask('a'))
    s.client.send(ask('held', { name: 'wind' }, 'mcp-tool'))
    await s.viewer.event('exec.paused')
    const pong = new Promise((resolve) => s.client.socket.once('pong', resolve))
    s.client.socket.ping()
    await pong
    s.client.send('{"type":"auth","token":"secret-1"}')
    s.server.send(answer('a', 'Red.'))
    await s.server.count(2)
    await s.client.count(1)
    expect(texts(s.server)).toEqual([ask('a'), '{"type":"auth","token":"secret-1"}'])
    expect(texts(s.client)).toEqual([answer('a', 'Red.')])
  })

  it('keeps a copy from the gateway, and counts it', async () => {
    const s = await staged(holdingAt('before'))
    s.client.send(ask('a'))
    const paused = await s.viewer.event('exec.paused')
    s.client.send(ask('a'))
    s.client.send('{"type":"auth","token":"t"}')
    await s.server.count(1)
    s.viewer.resume(paused, 'continue')
    await s.server.count(2)
    expect(texts(s.server)).toEqual(['{"type":"auth","token":"t"}', ask('a')])
    s.server.send(answer('a', 'Red.'))
    const finished = await s.viewer.event('node.finished')
    expect(finished.payload['resends']).toBe(1)
  })

  it('goes on when the debugger goes away', async () => {
    const s = await staged(holdingAt('before'))
    s.client.send(ask('a'))
    await s.viewer.event('exec.paused')
    await s.viewer.close()
    await s.server.count(1)
    expect(texts(s.server)).toEqual([ask('a')])
  })

  it('is let go when its client leaves', async () => {
    const s = await staged(holdingAt('before'))
    s.client.send(ask('a'))
    await s.viewer.event('exec.paused')
    s.client.socket.close(1000)
    expect((await s.viewer.event('exec.resumed')).payload.cause).toBe('disposed')
    await s.viewer.event('run.finished')
    expect(fates(s, 'c1:a')).toEqual(['node.started', 'node.finished aborted'])
  })
})

describe('an answer held before the client sees it', () => {
  it.each<[ResumeAction, unknown]>([
    ['continue', undefined],
    ['inject', injected('a', 'Blue.')],
    ['retry', undefined],
    ['abort', aborted('a')],
  ])('%s', async (action, frame) => {
    const s = await staged(holdingAt('after'))
    s.client.send(ask('a', { system: 's', prompt: 'p', streaming: true }))
    await s.server.count(1)
    s.server.send(answer('a', 'Re', false))
    s.server.send(answer('a', 'd.'))
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({ point: 'after', output: 'Red.' })
    expect(s.client.received).toEqual([])
    s.viewer.resume(paused, action, action === 'inject' ? { output: 'Blue.' } : {})
    if (action === 'retry') {
      await s.server.count(2)
      expect(texts(s.server)[1]).toBe(texts(s.server)[0])
      s.server.send(answer('a', 'Green.'))
      s.viewer.resume(await s.viewer.event('exec.paused', 2), 'continue')
      await s.client.count(1)
      expect(texts(s.client)).toEqual([answer('a', 'Green.')])
      await s.viewer.until(() => fates(s, 'c1:a#2').length === 2)
      expect(s.viewer.events('node.started').find(({ payload }) => payload.instanceId === 'c1:a#2')?.payload.attempt).toBe(2)
    } else if (frame === undefined) {
      await s.client.count(2)
      expect(texts(s.client)).toEqual([answer('a', 'Re', false), answer('a', 'd.')])
    } else {
      await s.client.count(1)
      expect(values(s.client)).toEqual([frame])
      // What still comes for it is not for the client any more.
      s.server.send(answer('a', 'late'))
      s.server.send('{"type": "auth-ok"}')
      await s.client.count(2)
      expect(texts(s.client)[1]).toBe('{"type": "auth-ok"}')
    }
  })

  it('is only its last frame when the breakpoint came after the first', async () => {
    const s = await staged()
    s.client.send(ask('a', { system: 's', prompt: 'p', streaming: true }))
    await s.server.count(1)
    s.server.send(answer('a', 'Re', false))
    await s.client.count(1)
    s.viewer.setBreakpoint({ point: 'after' })
    s.client.send(ask('armed', { name: 'x' }, 'mcp-tool'))
    await s.server.count(2)
    await vi.waitFor(() => expect(s.viewer.events('node.started').length).toBe(3))
    s.server.send(answer('a', 'd.'))
    const paused = await s.viewer.event('exec.paused')
    expect(texts(s.client)).toEqual([answer('a', 'Re', false)])
    s.viewer.resume(paused, 'continue')
    await s.client.count(2)
  })

  it('of an old gateway is not taken for the answer to the retry', async () => {
    const s = await staged(holdingAt('after'))
    s.client.send(ask('a', { query: 'q' }, 'graph-rag'))
    await s.server.count(1)
    s.server.send('{"id":"a","response":{"message_type":"chunk","response":"K2","end_of_stream":true},"complete":false}')
    const paused = await s.viewer.event('exec.paused')
    s.server.send('{"id":"a","response":{"message_type":"chunk","response":"","end_of_session":true},"complete":true}')
    s.viewer.resume(paused, 'retry')
    await s.server.count(2)
    s.server.send('{"id":"a","response":{"message_type":"chunk","response":"K5","end_of_stream":true},"complete":false}')
    const again = await s.viewer.event('exec.paused', 2)
    expect(again.payload.output).toBe('K5')
    s.viewer.resume(again, 'continue')
    await s.client.count(1)
    expect(texts(s.client).join()).toContain('K5')
  })
})

describe('a held failure', () => {
  it.each<[ResumeAction, unknown, readonly string[]]>([
    ['continue', JSON.parse(failure('a')), ['node.started', 'node.error']],
    ['inject', injected('a', 'Blue.'), ['node.started', 'node.finished ok']],
    ['retry', JSON.parse(answer('a', 'Green.')), ['node.started', 'node.error']],
    ['abort', aborted('a'), ['node.started', 'node.finished aborted']],
  ])('%s', async (action, frame, fate) => {
    const s = await staged(holdingAt('error'))
    s.client.send(ask('a'))
    await s.server.count(1)
    s.server.send(failure('a'))
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload.error).toEqual({ name: 'llm-error', message: 'overloaded' })
    s.viewer.resume(paused, action, action === 'inject' ? { output: 'Blue.' } : {})
    if (action === 'retry') {
      await s.server.count(2)
      s.server.send(answer('a', 'Green.'))
    }
    await s.client.count(1)
    expect(values(s.client)).toEqual([frame])
    await s.viewer.until(() => fates(s, 'c1:a').length === 2)
    expect(fates(s, 'c1:a')).toEqual(fate)
  })
})

describe('an abort', () => {
  it('marks the run, and the connection goes on', async () => {
    const s = await staged(holdingAt('before'))
    s.client.send(ask('a'))
    s.viewer.resume(await s.viewer.event('exec.paused'), 'abort')
    await s.client.count(1)
    s.client.send(ask('b'))
    s.viewer.resume(await s.viewer.event('exec.paused', 2), 'continue')
    await s.server.count(1)
    s.client.socket.close(1000)
    expect((await s.viewer.event('run.finished')).payload.status).toBe('aborted')
  })
})

describe('ids', () => {
  it('are told apart with their type, and echoed as they were spelled', async () => {
    const s = await staged(holdingAt('before'))
    s.client.send('{"id":1.0,"service":"text-completion","request":{"prompt":"p"},"flow":"f"}')
    s.viewer.resume(await s.viewer.event('exec.paused'), 'abort')
    await s.client.count(1)
    expect(texts(s.client)[0]).toContain('{"id":1.0,')
    s.server.send(answer('1', 'for another'))
    await s.client.count(2)
    expect(texts(s.client)[1]).toBe(answer('1', 'for another'))
  })
})

describe('the end of a connection', () => {
  it('has the client’s code and reason at the gateway', async () => {
    const s = await staged()
    s.client.socket.close(4321, 'bye')
    expect(await s.server.closed).toEqual({ code: 4321, reason: 'bye' })
  })

  it('by the gateway ends what is open as an error, with its code and reason at the client', async () => {
    const s = await staged()
    s.client.send(ask('a'))
    await s.server.count(1)
    s.server.socket.close(1012, 'restart')
    expect(await s.client.closed).toEqual({ code: 1012, reason: 'restart' })
    await s.viewer.event('run.finished')
    expect(s.viewer.events('node.error').map(({ payload }) => payload.error.name)).toEqual(['ConnectionClosed'])
  })

  it('by the gateway brings a held answer to the client first', async () => {
    const s = await staged(holdingAt('after'))
    s.client.send(ask('a'))
    await s.server.count(1)
    s.server.send(answer('a', 'Red.'))
    await s.viewer.event('exec.paused')
    s.server.socket.close(1000)
    await s.client.closed
    expect(texts(s.client)).toEqual([answer('a', 'Red.')])
  })

  it('without a code has none on the other side', async () => {
    const s = await staged()
    s.client.socket.terminate()
    expect((await s.server.closed).code).toBe(1006)
  })
})

describe('a handshake', () => {
  it('reaches the gateway with query, credentials and sub-protocols, at its own path, and none of it is recorded', async () => {
    const stage = await startTrustGraphStage({ gateway: { handleProtocols: () => 'v2' } })
    stages.push(stage)
    const seen: { url: string | undefined; authorization: string | undefined; cookie: string | undefined; origin: string | undefined }[] =
      []
    stage.gateway.on('connection', (_socket, { url, headers: { authorization, cookie, origin } }) =>
      seen.push({ url, authorization, cookie, origin }),
    )
    const { client } = await stage.connect('/api/socket?token=CANARY%20one', {
      protocols: ['v1', 'v2'],
      headers: { authorization: 'Bearer CANARY', cookie: 'c=CANARY', origin: 'http://localhost:8888' },
    })
    expect(seen).toEqual([
      {
        url: '/api/v1/socket?token=CANARY%20one',
        authorization: 'Bearer CANARY',
        cookie: 'c=CANARY',
        origin: 'http://localhost:8888',
      },
    ])
    expect(client.socket.protocol).toBe('v2')
    client.socket.close(1000)
    await stage.viewer.event('run.finished')
    expect(JSON.stringify(stage.viewer.envelopes) + stage.said()).not.toContain('CANARY')
  })

  const refusal = (url: string, headers: { readonly [name: string]: string } = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const socket = new WebSocket(url, { headers })
      socket.on('unexpected-response', (_request, response) => {
        response.resume()
        resolve(response.statusCode)
      })
      socket.on('open', () => reject(new Error('It was let in.')))
      socket.on('error', () => undefined)
    })

  it('that the gateway refuses is refused with the same status', async () => {
    const stage = await startTrustGraphStage({ gateway: { verifyClient: (_info, done) => done(false, 401) } })
    stages.push(stage)
    expect(await refusal(`${stage.proxyUrl}/api/v1/socket?token=wrong`)).toBe(401)
  })

  it('is answered with 502 when there is no gateway', async () => {
    const stage = await startTrustGraphStage()
    stages.push(stage)
    stage.gateway.close()
    expect(await refusal(stage.proxyUrl)).toBe(502)
  })

  it.each([
    [{ host: 'evil.example' }, []],
    [{ origin: 'https://evil.example' }, []],
    [{ origin: 'null' }, []],
  ])('of a foreign page is refused: %j', async (headers, allowedOrigins) => {
    const stage = await startTrustGraphStage({ allowedOrigins })
    stages.push(stage)
    expect(await refusal(stage.proxyUrl, headers)).toBe(403)
  })

  it('of a page on the list is let in', async () => {
    const stage = await startTrustGraphStage({ allowedOrigins: ['https://workbench.example'] })
    stages.push(stage)
    await stage.connect('/', { headers: { origin: 'https://workbench.example' } })
  })
})

describe('without GraphMind', () => {
  it('relays when it is disabled', async () => {
    const s = await staged({ environment: { GRAPHMIND_DISABLED: '1' }, ...holdingAt('before') })
    s.client.send(ask('a'), true)
    await s.server.count(1)
    expect(s.server.received).toEqual([{ text: ask('a'), isBinary: true }])
    s.server.send('oops {')
    await s.client.count(1)
    expect(texts(s.client)).toEqual(['oops {'])
    expect(s.viewer.connections).toBe(0)
  })
})

describe('what is never recorded', () => {
  it('iam content, also of a failure that is held', async () => {
    const s = await staged(holdingAt('error'))
    s.client.send('{"id":"i","service":"iam","request":{"operation":"login","password":"CANARY-1"}}')
    await s.server.count(1)
    s.server.send('{"id":"i","response":{"error":{"type":"iam-error","message":"no CANARY-2"}},"complete":true}')
    const paused = await s.viewer.event('exec.paused')
    expect(paused.payload.error).toEqual({ name: 'iam-error', message: '__REDACTED__' })
    s.viewer.resume(paused, 'continue')
    await s.viewer.event('node.error')
    expect(JSON.stringify(s.viewer.envelopes) + s.said()).not.toContain('CANARY')
  })

  it('credentials of tools in the configuration, wherever they stand', async () => {
    const s = await staged()
    const config = (id: string, request: object) => s.client.send(JSON.stringify({ id, service: 'config', request }))
    config('1', {
      operation: 'put',
      values: [
        { type: 'mcp', key: 'k', value: 'CANARY-1' },
        { type: 'other', key: 'k', value: 'kept' },
      ],
    })
    config('2', { operation: 'config' })
    config('3', { operation: 'getvalues', type: 'mcp' })
    await s.server.count(3)
    s.server.send('{"id":"1","response":{},"complete":true}')
    s.server.send('{"id":"2","response":{"version":1,"config":{"mcp":{"k":"CANARY-2"},"other":{"k":"kept too"}}},"complete":true}')
    s.server.send('{"id":"3","response":{"values":[{"key":"k","value":"CANARY-3"}]},"complete":true}')
    await s.client.count(3)
    await s.viewer.until(() => s.viewer.events('node.finished').length === 3)
    const recorded = JSON.stringify(s.viewer.envelopes)
    expect(recorded).not.toContain('CANARY')
    expect(recorded).toContain('kept too')
    expect(texts(s.client).join()).toContain('CANARY-3')
  })

  it('long vectors and long base64, of which the length is kept', async () => {
    const s = await staged()
    s.client.send(ask('a', { operation: 'add-document', content: 'QUJD'.repeat(100) }, 'librarian'))
    s.client.send(ask('b', { vector: Array.from({ length: 17 }, () => 0.5) }, 'graph-embeddings'))
    s.client.send(ask('c', { vector: Array.from({ length: 16 }, () => 0.5), content: 'short words stay' }, 'graph-embeddings'))
    await s.server.count(3)
    await s.viewer.until(() => s.viewer.events('node.started').length === 4)
    const inputs = s.viewer.events('node.started').map(({ payload }) => payload.input as { content?: string; vector?: unknown } | undefined)
    expect(inputs[1]?.content).toBe('[400 characters of base64 left out]')
    expect(inputs[2]?.vector).toBe('[17 numbers left out]')
    expect(inputs[3]?.vector).toHaveLength(16)
  })
})
