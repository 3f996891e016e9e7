// Saves a small database and what the collector answers for it, for the test that later versions still give the same answers.
//   node test/support/save-database.mjs                   of this checkout, which is built, into collector/src/store/earlier
//   node test/support/save-database.mjs /path/to/checkout  of another one
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { WebSocket } from 'ws'
import { encode } from '../bench/load/encode.mjs'
import { makeRun } from '../bench/load/runs.mjs'
import { LOAD_OPTIONS } from '../bench/load-options.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [checkout = root] = process.argv.slice(2)
const START_NANOS = 1_793_491_200_000_000_000n
const FIRST_WITH_LOGS = 2
const FIRST_WITH_WAITING_SPANS = 5
const trace = (letter) => letter.repeat(32)
const RESOURCE = { attributes: fields({ 'service.name': 'saved' }) }
const SCOPE = { name: 'saved', version: '1' }

const folder = mkdtempSync(join(tmpdir(), 'graphmind-save-'))
const db = join(folder, 'runs.db')
const { startCollector } = await import(pathToFileURL(join(checkout, 'collector', 'dist', 'collector.js')))
const started = await startCollector({ port: 0, db, otlpPorts: false })
if (!started.ok) throw new Error(started.problem.message)
const { port, stop } = started.value
const version = versionOf(db)

await send()
const runs = await answers()
if (version >= FIRST_WITH_WAITING_SPANS) {
  // Stopped before it is read.
  await spans(Array.from({ length: 80 }, (_, index) => toolSpan(trace('c'), 200 + index, 199)))
  runs.push({ id: trace('c'), spans: 80 })
}
await stop()
const database = new DatabaseSync(db)
database.exec('PRAGMA journal_mode = DELETE; VACUUM')
database.close()
const out = join(root, 'collector', 'src', 'store', 'earlier', `version-${version}`)
mkdirSync(out, { recursive: true })
for (const [name, bytes] of [
  ['runs.db.gz', readFileSync(db)],
  ['answers.json.gz', JSON.stringify(runs)],
]) {
  writeFileSync(join(out, name), gzipSync(bytes, { level: 9 }))
}
rmSync(folder, { recursive: true })
console.log(`${out}: ${runs.length} runs, ${runs.reduce((sum, { events = [] }) => sum + events.length, 0)} events`)

/** Runs of four dialects, all copies of a span, one that failed, a log record, plain traffic, an unfinished run, one of a client's own numbering with a held call, and one that comes at once. */
async function send() {
  const load = { ...LOAD_OPTIONS, seed: 41, runs: 4, spans: 8, start: Date.UTC(2026, 10, 30) }
  for (let index = 0; index < load.runs; index++) {
    const run = makeRun(load, index)
    await post('/v1/traces', encode.protobuf([{ resource: run.resource, scope: run.scope, spans: run.spans }]), 'application/x-protobuf')
  }
  await spans([agentSpan(trace('a'), 1, { 'graphmind.span.phase': 'start' }, '0')])
  const failed = { ...toolSpan(trace('a'), 2, 1), status: { code: 2, message: 'it broke' } }
  await spans([failed, agentSpan(trace('a'), 1, { 'graphmind.session': 's' })])
  await spans([agentSpan(trace('a'), 1, { 'app.own': 'yes' })])
  await spans([{ ...span(trace('f'), 3), name: 'GET /', attributes: fields({ 'http.request.method': 'GET' }) }])
  await spans([toolSpan(trace('e'), 5, 4)])
  if (version >= FIRST_WITH_LOGS) await log()
  await ownRun()
  await spans([agentSpan(trace('b'), 10, {}), ...Array.from({ length: 90 }, (_, index) => toolSpan(trace('b'), 11 + index, 10))])
}

async function ownRun() {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ingest`)
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  let seq = 0
  const say = (runId, type, payload) =>
    socket.send(JSON.stringify({ gm: 1, seq: seq++, ts: 1_793_491_200_000 + seq, runId, type, payload }))
  const call = { nodeId: 'tool:dig', instanceId: 'i1' }
  say('*', 'hello', { versions: { protocol: 1, client: '0.0.1', runtime: 'node' }, capabilities: ['pause', 'step'], pid: 1 })
  seq = 0
  say('own', 'run.started', { app: 'own', sdk: { name: 'own', version: '1', runtime: 'node' } })
  say('own', 'node.started', { ...call, kind: 'tool', name: 'dig', input: { at: 'here' } })
  say('own', 'node.token', { ...call, deltas: [{ t: 'text', v: 'a' }] })
  say('own', 'exec.paused', { nodeId: 'tool:dig', pauseId: 'p1', point: 'before' })
  say('own', 'exec.resumed', { pauseId: 'p1', action: 'continue' })
  say('own', 'node.finished', { ...call, output: { found: 'gold' } })
  say('own', 'run.finished', { status: 'ok' })
  await until(
    () => get('/api/runs?limit=100'),
    ({ runs }) => runs.some(({ id, status }) => id === 'own' && status === 'ok'),
  )
  socket.close()
}

function versionOf(path) {
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare('PRAGMA user_version').get()
  database.close()
  return Number(row.user_version)
}

/** What the collector tells of each run, once it has read all of them. */
async function answers() {
  await until(
    () => get('/api/ingest/stats'),
    ({ waitingSpans = 0 }) => waitingSpans === 0,
  )
  const { runs } = await get('/api/runs?limit=100')
  const told = []
  for (const { id } of runs.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const { events } = await get(`/api/runs/${id}/events?limit=5000`)
    told.push({ id, spans: (await get(`/api/runs/${id}/spans?limit=10000`)).spans.length, events })
  }
  return told
}

function span(traceId, number, parent, endNanos = String(START_NANOS + BigInt(number + 1) * 1_000_000n)) {
  return {
    ...{ traceId, spanId: spanId(number), kind: 1 },
    ...(parent === undefined ? {} : { parentSpanId: spanId(parent) }),
    startTimeUnixNano: String(START_NANOS + BigInt(number) * 1_000_000n),
    endTimeUnixNano: endNanos,
  }
}

function toolSpan(traceId, number, parent) {
  const tool = `step-${number % 7}`
  const attributes = fields({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool })
  return { ...span(traceId, number, parent), name: `execute_tool ${tool}`, attributes }
}

function agentSpan(traceId, number, more, endNanos) {
  const attributes = fields({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'plan', ...more })
  return { ...span(traceId, number, undefined, endNanos), name: 'invoke_agent plan', attributes }
}

function spanId(number) {
  return String(number).padStart(16, '0')
}

function fields(values) {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

function spans(list) {
  const body = JSON.stringify({ resourceSpans: [{ resource: RESOURCE, scopeSpans: [{ scope: SCOPE, spans: list }] }] })
  return post('/v1/traces', body, 'application/json')
}

function log() {
  const record = {
    ...{ timeUnixNano: String(START_NANOS + 2_500_000n), traceId: trace('a'), spanId: spanId(2), eventName: 'gen_ai.tool.message' },
    body: { kvlistValue: { values: fields({ content: 'sunny' }) } },
  }
  const body = JSON.stringify({ resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: SCOPE, logRecords: [record] }] }] })
  return post('/v1/logs', body, 'application/json')
}

async function post(path, body, type) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { 'content-type': type }, body })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

async function get(path) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  return answer.ok ? answer.json() : {}
}

async function until(ask, isDone) {
  for (;;) {
    const answer = await ask()
    if (isDone(answer)) return answer
    await wait(50)
  }
}
