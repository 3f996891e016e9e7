// Records what `graphmind demo` replays: the longer story of examples/demo-agent, run once for each way its held call can go on.
// Writes collector/demo/*.ndjson. Run it after a change of that agent: node scripts/record-demo.mjs
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startCollector } from '../collector/dist/index.js'
import { installFromLockfile } from './lib/install.mjs'
import { bin, environment, main, root } from './lib/run.mjs'

/** Stands for the value a person injects; the replay puts theirs in its place. */
const INJECTED = '__INJECTED__'
const agentFolder = join(root, 'examples', 'demo-agent')
const target = join(root, 'collector', 'demo')

await main(async () => {
  await installFromLockfile(agentFolder)
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-record-'))
  const started = await startCollector({ port: 0, db: join(folder, 'demo.db') })
  if (!started.ok) throw new Error(started.problem.message)
  const { url, stop } = started.value
  try {
    mkdirSync(target, { recursive: true })
    // A retry fails again and an abort ends what is open: neither needs a recording.
    for (const action of ['inject', 'continue']) {
      const events = withReadableIds(await record(url, action))
      const hold = events.findIndex(({ type }) => type === 'exec.paused')
      if (action === 'continue') write('start', events.slice(0, hold))
      write(action, events.slice(hold))
    }
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function record(url, action) {
  const child = spawn(bin('node'), ['trip.mjs'], {
    cwd: agentFolder,
    env: { ...environment, GRAPHMIND_URL: `${url.replace('http', 'ws')}/ingest` },
    stdio: 'inherit',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const pause = await heldCall(url)
  await resume(url, pause, { action, ...(action === 'inject' ? { output: INJECTED } : {}) })
  await ended
  const { events } = await (await fetch(`${url}/api/runs/${pause.runId}/events?limit=5000`)).json()
  return events
}

async function heldCall(url) {
  const { pauses } = await (await fetch(`${url}/api/pauses?wait=30`)).json()
  if (pauses.length !== 1) throw new Error(`Expected one held call, found ${pauses.length}.`)
  // What ran beside the held call has been stored by then.
  await wait(500)
  return pauses[0]
}

async function resume(url, { runId, pauseId }, command) {
  const answer = await fetch(`${url}/api/runs/${runId}/pauses/${pauseId}/resume`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(command),
  })
  if (!answer.ok) throw new Error(`The held call was not released: ${await answer.text()}`)
}

/** Span ids differ from run to run; the n-th call of a node is the same in all of them. */
function withReadableIds(events) {
  const ids = new Map()
  const counts = new Map()
  for (const { payload } of events) {
    if (payload.instanceId === undefined || ids.has(payload.instanceId)) continue
    const count = (counts.get(payload.nodeId) ?? 0) + 1
    counts.set(payload.nodeId, count)
    ids.set(payload.instanceId, `${payload.nodeId}#${count}`)
  }
  let text = JSON.stringify(events).replaceAll(pathToFileURL(root).href, 'file:///graphmind/')
  for (const [id, readable] of ids) text = text.replaceAll(`"${id}"`, JSON.stringify(readable))
  return JSON.parse(text)
}

/** The replay brings its own run, holds and times; spans stay behind, as only their run has them. */
function write(name, events) {
  const kept = events.filter(({ type }) => type.startsWith('node.') || type === 'graph.hint')
  const lines = kept.map((event, seq) => JSON.stringify({ ...event, seq, runId: 'demo', payload: recorded(event.payload) }))
  writeFileSync(join(target, `${name}.ndjson`), `${lines.join('\n')}\n`)
}

function recorded({ traceId, spanId, startTimeUnixNano, endTimeUnixNano, heldMs, ...payload }) {
  return payload
}
