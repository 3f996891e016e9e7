import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession } from '@graphmind-ai/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Collector, CollectorOptions } from '../../collector.ts'
import { readRecording } from '../../demo/recording.ts'
import { startReplay } from '../../demo/replay.ts'
import { askJson, testCollector } from '../../testing/collector.ts'
import { UNTRUSTED } from './answer.ts'
import { createMcpServer } from './server.ts'
import { MAX_RANGE_CHARACTERS, PREVIEW_CHARACTERS } from './values.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

const CANARY = 'sk-canary-0123456789'
const LONG = 'long '.repeat(5000)

let folder: string
let db: string
let demoRun: string
let longRun: string
let client: Client
const closing: (() => Promise<void>)[] = []

async function clientOf(flags: object, allowControl = false): Promise<Client> {
  const server = createMcpServer({ flags, environment: {} }, allowControl)
  const [here, there] = InMemoryTransport.createLinkedPair()
  const made = new Client({ name: 'test', version: '1' })
  await Promise.all([server.connect(there), made.connect(here)])
  closing.push(() => made.close())
  return made
}

/** What the tools answer, as far as it is looked at here. */
interface Item {
  readonly runId: string
  readonly pauseId: string
  readonly nodeId: string
  readonly link: string
  readonly input: { readonly text: string; readonly more: string }
}

interface Data {
  readonly [list: string]: readonly Item[]
}

interface Answered {
  readonly isError: boolean
  readonly text: string
  readonly data: Data
}

async function call(name: string, given: Record<string, unknown> = {}, asker = client): Promise<Answered> {
  const answer = (await asker.callTool({ name, arguments: given })) as CallToolResult
  const [content] = answer.content
  const text = content?.type === 'text' ? content.text : ''
  if (answer.isError === true) return { isError: true, text, data: {} }
  const { notice, data } = JSON.parse(text)
  expect(notice).toBe(UNTRUSTED)
  return { isError: false, text, data }
}

const collectorOf = (options: Partial<CollectorOptions> = {}): Promise<Collector> => testCollector({ db, ...options })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-mcp-'))
  db = join(folder, 'graphmind.db')
  const collector = await collectorOf({ breakpoints: [] })
  const ingestUrl = `${collector.url.replace('http', 'ws')}/ingest`
  const started = Promise.withResolvers<string>()
  const replay = startReplay({
    ingestUrl,
    token: undefined,
    recording: readRecording(),
    wait: async () => undefined,
    started: started.resolve,
  })
  demoRun = await started.promise
  await replay.ended
  const session = createSession({ url: ingestUrl, appName: 'app', enabled: true, env: {} })
  await session.ready()
  longRun = await session.run('long', async ({ runId }) => {
    for (let at = 0; at < 30; at += 1) {
      const call = { nodeId: 'tool:fetch', instanceId: `call-${at}` }
      const input = { at, note: LONG, headers: { authorization: CANARY }, emoji: '😀'.repeat(3) }
      session.emit('node.started', { ...call, kind: 'tool', name: 'fetch', input })
      session.emit('node.finished', { ...call, output: at, durationMs: 1, status: 'ok' })
    }
    return runId
  })
  await session.dispose()
  for (const runId of [demoRun, longRun])
    await vi.waitFor(async () => expect(await askJson(collector.port, `/api/runs/${runId}`)).toMatchObject({ status: 'ok' }), 20_000)
  await vi.waitFor(async () => expect(await askJson(collector.port, '/api/search?q=a')).toMatchObject({ index: { waiting: 0 } }), 20_000)
  await collector.stop()
  client = await clientOf({ db })
})
afterAll(async () => {
  for (const close of closing) await close()
  rmSync(folder, { recursive: true, force: true })
})

describe('graphmind mcp, with no server running', () => {
  it('offers reading tools, marked as such, and says that recorded data is not to be trusted', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'diff_runs',
      'find_errors',
      'get_node',
      'get_run',
      'list_pauses',
      'list_runs',
      'search_runs',
    ])
    for (const tool of tools) expect(tool.annotations).toMatchObject({ readOnlyHint: true })
    expect(client.getInstructions()).toContain('untrusted')
  })

  it('lists runs with a link each, in pages, filtered', async () => {
    const { data } = await call('list_runs', { limit: 1 })
    expect(data.runs).toMatchObject([{ runId: longRun, name: 'long', link: `http://127.0.0.1:4747/run/${longRun}` }])
    expect((await call('list_runs', { limit: 1, cursor: data.nextCursor })).data.runs).toMatchObject([{ runId: demoRun, errorCount: 1 }])
    expect((await call('list_runs', { filter: 'source:demo' })).data.runs).toMatchObject([{ runId: demoRun, source: 'demo' }])
    expect((await call('list_runs', { filter: 'state:maybe' })).text).toContain('state')
  })

  it('gives a run with its nodes in the order they began', async () => {
    const { data } = await call('get_run', { runId: demoRun })
    expect(data['nodes']?.map(({ nodeId }) => nodeId).slice(0, 2)).toEqual(['agent:trip-planner', 'llm:step'])
    expect(data.nodes).toContainEqual(expect.objectContaining({ nodeId: 'llm:step', executions: 4 }))
    expect(data.nodes).toContainEqual(
      expect.objectContaining({ nodeId: 'tool:checkBudget', errors: 1, lastError: expect.stringMatching(/^RangeError: A total of/) }),
    )
  })

  it('gives the newest executions of a node with previews, and says how many it left out', async () => {
    const { data } = await call('get_node', { runId: longRun, nodeId: 'tool:fetch' })
    expect(data['executions']).toHaveLength(25)
    expect(data.instancesOmitted).toBe(5)
    expect(data['executions']?.[0]).toMatchObject({ instanceId: 'call-29', status: 'ok', output: { text: '29', characters: 2 } })
    expect(data['executions']?.[0]?.input?.text).toHaveLength(PREVIEW_CHARACTERS)
    expect(data['executions']?.[0]?.input?.more).toContain('call-29')
  })

  it('reads one value whole, by path and range', async () => {
    const read = async (more: object) => (await call('get_node', { runId: longRun, instanceId: 'call-3', field: 'input', ...more })).data
    const first = await read({ path: '/note' })
    expect(first).toMatchObject({ characters: LONG.length, nextOffset: MAX_RANGE_CHARACTERS })
    expect(first.text).toBe(LONG.slice(0, MAX_RANGE_CHARACTERS))
    expect(await read({ path: '/note', offset: LONG.length - 5 })).toMatchObject({ text: 'long ' })
    expect(await read({ path: '/note', length: 4 })).toMatchObject({ text: 'long', nextOffset: 4 })
    expect(await read({ path: '/at' })).toMatchObject({ text: '3' })
    expect((await read({ path: '/emoji', length: 1 })).text).toBe('\ufffd')
  })

  it('masks secrets, also for a path that leads to one', async () => {
    const shown = await call('get_node', { runId: longRun, instanceId: 'call-3' })
    expect(shown.text).not.toContain(CANARY)
    const read = await call('get_node', { runId: longRun, instanceId: 'call-3', field: 'input', path: '/headers/authorization' })
    expect(read.data.text).toBe('__REDACTED__')
  })

  it('finds failures with what caused them', async () => {
    const { data } = await call('find_errors')
    expect(data.errors).toMatchObject([
      {
        runId: demoRun,
        nodeId: 'tool:checkBudget',
        error: { text: expect.stringContaining('RangeError') },
        input: { text: expect.stringContaining('7776742') },
      },
    ])
    expect(data['errors']?.[0]?.link).toMatch(/\?instance=tool%3AcheckBudget%231$/)
    expect((await call('find_errors', { runId: longRun })).data.errors).toEqual([])
  })

  it('searches all runs, and shows no secret as a snippet', async () => {
    const { data } = await call('search_runs', { query: 'Kyoto budget', in: 'output' })
    expect(data['hits']?.[0]).toMatchObject({ runId: demoRun, field: 'output', link: expect.stringContaining(`/run/${demoRun}?instance=`) })
    const secret = await call('search_runs', { query: 'canary' })
    expect(secret.data['hits']?.length).toBeGreaterThan(0)
    expect(secret.text).not.toContain(CANARY)
    expect((await call('search_runs', { query: '' })).isError).toBe(true)
  })

  it('compares two runs, and leaves out what is the same', async () => {
    const same = await call('diff_runs', { left: demoRun, right: demoRun })
    expect(same.data).toMatchObject({ isSame: true, rows: [] })
    const { data } = await call('diff_runs', { left: demoRun, right: longRun })
    expect(data).toMatchObject({ isSame: false, counts: { 'right-only': 30 } })
    expect(data['rows']?.at(-1)?.link).toContain('instance=')
  })

  it('answers a wrong question with a hint', async () => {
    expect((await call('get_run', { runId: 'nobody' })).text).toContain(demoRun)
    expect((await call('get_node', { runId: demoRun, nodeId: 'tool:x' })).text).toContain('tool:checkBudget')
    expect((await call('get_node', { runId: demoRun })).text).toContain('nodeId')
    expect((await call('get_node', { runId: demoRun, instanceId: 'tool:checkBudget#1', field: 'output' })).text).toContain(
      'no output on record',
    )
    expect((await call('get_node', { runId: longRun, instanceId: 'call-3', field: 'input', path: '/nope' })).text).toContain(
      'There is: at, note',
    )
    expect((await call('get_run', { runId: 'x' }, await clientOf({ db: join(folder, 'none.db') }))).text).toContain('graphmind demo')
  })

  it('says that nothing is held', async () => {
    // The port is of no server: nothing else may answer there.
    expect((await call('list_pauses', {}, await clientOf({ db, port: '1' }))).data).toMatchObject({
      pauses: [],
      note: expect.stringContaining('No GraphMind server'),
    })
  })
})

describe('graphmind mcp --allow-control', () => {
  it('shows, holds and releases calls of running programs, and says who did it', async () => {
    const collector = await collectorOf({ breakpoints: [] })
    const asker = await clientOf({ db, port: String(collector.port) }, true)
    const session = createSession({
      url: `${collector.url.replace('http', 'ws')}/ingest`,
      appName: 'app',
      enabled: true,
      env: {},
      logger: { warn: () => undefined },
    })
    try {
      const controls = (await asker.listTools()).tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
      expect(controls.map(({ name }) => name).sort()).toEqual(['resume_pause', 'set_breakpoint'])
      expect((await call('set_breakpoint', { name: 'search' }, asker)).data.breakpoints).toEqual([
        expect.objectContaining({ name: 'search', point: 'before' }),
      ])
      await session.ready()
      const decided = session.run('trip', () =>
        session.gate('before', { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'c1' }, { input: { q: 1 } }),
      )
      const { data } = await call('list_pauses', { waitSeconds: 20 }, asker)
      expect(data.pauses).toMatchObject([{ node: 'tool:search', input: { text: '{"q":1}' } }])
      const [pause] = data['pauses'] ?? []
      expect(
        (await call('resume_pause', { runId: pause?.runId, pauseId: pause?.pauseId, action: 'inject', output: { ok: 1 } }, asker)).data,
      ).toEqual({
        outcome: 'resumed',
      })
      expect(await decided).toEqual({ action: 'inject', output: { ok: 1 } })
      expect((await call('resume_pause', { runId: pause?.runId, pauseId: pause?.pauseId, action: 'continue' }, asker)).isError).toBe(true)
      expect((await call('set_breakpoint', { name: 'search', clear: true }, asker)).data.breakpoints).toEqual([])
    } finally {
      await session.dispose()
      await collector.stop()
    }
  })
})
