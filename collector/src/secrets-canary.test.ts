import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createMcpServer } from './cli/mcp/server.ts'
import { telemetryPolicy } from './cli/telemetry/policy.ts'
import { tellUse } from './cli/telemetry/telemetry.ts'
import type { Collector } from './collector.ts'
import { ask, askJson, post, testCollector } from './testing/collector.ts'
import { traceRequest } from './testing/spans.ts'

// One secret, told in every place of a span and a log record where content may be, and looked for in all that the collector keeps and says:
// in a run whose session hides content, and, so that the looking itself is known to find it, in one that hides nothing.

const CANARY = 'canary-5f3a9c'
const HIDDEN = 'a'.repeat(32)
const OPEN = 'b'.repeat(32)
const FORMATS = ['otlp-json', 'otlp-proto', 'ndjson', 'html']

const spansOf = (trace: string, secret: string) =>
  traceRequest([
    { trace, id: 1, type: 'agent', name: 'planner', end: 90 },
    {
      ...{ trace, id: 2, parent: 1, type: 'llm', start: 1, end: 20 },
      attributes: {
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `${secret} in` }] }]),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: `${secret} out` }] }]),
        'app.custom': `${secret} custom`,
      },
    },
    {
      ...{ trace, id: 3, parent: 1, type: 'tool', name: 'search', start: 21, end: 40 },
      attributes: { 'gen_ai.tool.call.arguments': `{"q":"${secret} q"}`, 'gen_ai.tool.call.result': `{"a":"${secret} a"}` },
    },
  ])

const logsOf = (traceId: string, secret: string) => ({
  resourceLogs: [
    {
      scopeLogs: [
        {
          logRecords: [
            {
              ...{ timeUnixNano: '1767225600005000000', traceId, spanId: '0000000000000002', eventName: 'gen_ai.user.message' },
              body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: `${secret} body` } }] } },
              attributes: [{ key: 'app.note', value: { stringValue: `${secret} note` } }],
            },
          ],
        },
      ],
    },
  ],
})

let folder: string
let db: string
let collector: Collector
let app: WebSocket
let mcp: Client
const frames = new Map<string, string[]>()
const said: string[] = []

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation((...words) => void said.push(words.join(' ')))
  folder = mkdtempSync(join(tmpdir(), 'graphmind-canary-'))
  db = join(folder, 'runs.db')
  collector = await testCollector({ db })
  app = await hidingApp(collector.port)
  for (const runId of [HIDDEN, OPEN]) {
    await follow(runId)
    for (const [path, body] of [
      ['/v1/traces', spansOf(runId, CANARY)],
      ['/v1/logs', logsOf(runId, CANARY)],
    ] as const) {
      expect(JSON.stringify(body)).toContain(CANARY)
      expect((await post(collector.port, body, path)).status).toBe(200)
    }
  }
  await vi.waitFor(() => expect(frames.get(HIDDEN)?.join()).toContain('tool:search'), { timeout: 20_000 })
  await vi.waitFor(() => expect(frames.get(OPEN)?.join()).toContain(`${CANARY} a`), { timeout: 20_000 })
  const [here, there] = InMemoryTransport.createLinkedPair()
  mcp = new Client({ name: 'test', version: '1' })
  await Promise.all([createMcpServer({ flags: { db }, environment: {} }, false).connect(there), mcp.connect(here)])
}, 60_000)

afterAll(async () => {
  await mcp.close()
  app.terminate()
  await collector.stop()
  rmSync(folder, { recursive: true, force: true })
  vi.restoreAllMocks()
})

/** A program that has its session hide what goes in and out of calls, and speaks for the run. */
async function hidingApp(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ingest`)
  await once(socket, 'open')
  const say = (runId: string, type: string, payload: object) => socket.send(JSON.stringify({ gm: 1, seq: 0, ts: 1, runId, type, payload }))
  say('*', 'hello', {
    ...{ versions: { protocol: 1, client: '1', runtime: 'node' }, capabilities: [], pid: 1, spans: 'otlp' },
    hide: ['hideInputs', 'hideOutputs'],
  })
  say(HIDDEN, 'run.started', { app: 'planner', sdk: { name: 'test', version: '1', runtime: 'node' } })
  await vi.waitFor(async () => expect((await askJson(port, '/api/runs'))['runs']).toHaveLength(1), { timeout: 20_000 })
  return socket
}

/** Keeps all that a viewer of the run is sent. */
async function follow(runId: string): Promise<void> {
  const viewer = new WebSocket(`ws://127.0.0.1:${collector.port}/ws/ui`)
  await once(viewer, 'open')
  const got: string[] = []
  frames.set(runId, got)
  viewer.on('message', (data) => got.push(String(data)))
  // A run that is not there yet can't be followed; the list is, and tells of it.
  viewer.send(JSON.stringify({ type: 'subscribe', runId: '*' }))
  if (runId === OPEN) await post(collector.port, traceRequest([{ trace: runId, id: 1, type: 'agent', name: 'planner' }]))
  viewer.send(JSON.stringify({ type: 'subscribe', runId }))
  await vi.waitFor(() => expect(got.join()).toContain('replay.end'), { timeout: 20_000 })
}

/** All that is kept of a run in any table, compressed or not. */
function kept(runId: string): string {
  const database = new DatabaseSync(db, { readOnly: true })
  const key = Number(database.prepare('SELECT key FROM runs WHERE id = ?').get(runId)?.['key'])
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'").all()
  const texts = tables.flatMap(({ name }) => {
    const columns = database.prepare(`PRAGMA table_info(${name})`).all()
    const [owner, value] = columns.some((column) => column['name'] === 'run')
      ? ['run', key]
      : columns.some((column) => column['name'] === 'run_id')
        ? ['run_id', runId]
        : name === 'runs'
          ? ['key', key]
          : [undefined, 0]
    const rows = owner === undefined ? [] : database.prepare(`SELECT * FROM ${name} WHERE ${owner} = ?`).all(value)
    return rows.flatMap((row) => Object.values(row).map((cell) => (cell instanceof Uint8Array ? readable(cell) : String(cell))))
  })
  database.close()
  return texts.join('\n')
}

function readable(bytes: Uint8Array): string {
  try {
    return zstdDecompressSync(bytes).toString()
  } catch {
    // Not compressed.
    return Buffer.from(bytes).toString('latin1')
  }
}

async function answers(runId: string, paths: readonly string[]): Promise<string> {
  const all = await Promise.all(paths.map((path) => ask(collector.port, path.replace(':id', runId))))
  expect(all.map(({ status }) => status)).toEqual(paths.map(() => 200))
  return all.map(({ body }) => body.toString('latin1')).join('\n')
}

const INSTANCES = ['0000000000000002', '0000000000000003']
const SURFACES: readonly (readonly [what: string, read: (runId: string) => string | Promise<string>])[] = [
  ['the database', kept],
  ['the events', (runId) => answers(runId, ['/api/runs/:id/events'])],
  ['the raw spans', (runId) => answers(runId, ['/api/runs/:id/spans'])],
  [
    'what one call took and gave',
    (runId) =>
      answers(
        runId,
        INSTANCES.map((id) => `/api/runs/:id/instances/${id}`),
      ),
  ],
  ['the stream of a viewer', (runId) => frames.get(runId)?.join('\n') ?? ''],
  ...FORMATS.map(
    (format) => [`the export as ${format}`, (runId: string) => answers(runId, [`/api/runs/:id/export?format=${format}`])] as const,
  ),
  [
    'MCP',
    async (runId) => {
      const calls = INSTANCES.map((instanceId) => mcp.callTool({ name: 'get_node', arguments: { runId, instanceId } }))
      return JSON.stringify(await Promise.all([...calls, mcp.callTool({ name: 'get_run', arguments: { runId } })]))
    },
  ],
]

describe('a secret that a program sent', () => {
  it.each(SURFACES)('is in %s of a run that hides nothing, so that this would find it', async (_what, read) => {
    expect(await read(OPEN)).toContain(CANARY)
  })

  it.each(SURFACES)('is not in %s of a run whose session hides content, which has its calls', async (_what, read) => {
    const text = await read(HIDDEN)
    expect(text).not.toContain(CANARY)
    expect(text).toContain('search')
  })

  it('is nowhere in the files when its run is the only one, and can’t be searched for', async () => {
    const alone = join(folder, 'alone.db')
    const { port, stop } = await testCollector({ db: alone })
    const socket = await hidingApp(port)
    await post(port, spansOf(HIDDEN, CANARY))
    await post(port, logsOf(HIDDEN, CANARY), '/v1/logs')
    const files = () => readdirSync(folder).filter((name) => name.startsWith('alone.db'))
    const bytes = () =>
      files()
        .map((name) => readFileSync(join(folder, name)).toString('latin1'))
        .join()
    expect(bytes()).toContain(HIDDEN)
    expect(bytes()).not.toContain(CANARY)
    expect(JSON.stringify(await askJson(port, `/api/search?q=${CANARY}`))).not.toContain(HIDDEN)
    socket.terminate()
    await stop()
    expect(bytes()).not.toContain(CANARY)
  })

  it('is in no line that the collector says, and in no record of its use', async () => {
    await tellUse(
      'serve',
      telemetryPolicy({ GRAPHMIND_TELEMETRY: 'log' }),
      { GRAPHMIND_HOME: folder },
      {
        out: () => undefined,
        err: (line) => said.push(line),
        isTerminal: false,
      },
    )
    expect(said.join('\n')).toContain('serve')
    expect(said.join('\n')).not.toContain(CANARY)
  })
})
