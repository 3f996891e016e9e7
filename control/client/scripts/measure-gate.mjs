// What a gate costs while nobody debugs, and how fast held calls go on when the debugger dies.
// Run after a build: node --expose-gc control/client/scripts/measure-gate.mjs
import { createSession } from '../dist/index.js'
import { startFakeViewer } from '../dist/testing/index.js'

const CALLS = 1_000_000
const SAMPLES = 200_000
const HOLDS = 100
const ROUNDS = 30
const node = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1' }
const quiet = { warn: () => undefined }

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
const round = (value, digits = 1) => Number(value.toFixed(digits))

/** Bytes that a call leaves on the heap, as a mean over many; 0 when it allocates nothing. */
function allocatedBytes(call) {
  for (let index = 0; index < 100_000; index += 1) call()
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < CALLS; index += 1) call()
  return (process.memoryUsage().heapUsed - before) / CALLS
}

async function detached() {
  const session = createSession({ url: 'ws://127.0.0.1:9/ingest', env: {}, logger: quiet })
  void session.gate('before', node)
  const gate = () => session.gate('before', node)
  const bytes = allocatedBytes(gate)
  let startNs = process.hrtime.bigint()
  for (let index = 0; index < CALLS; index += 1) gate()
  const meanNs = Number(process.hrtime.bigint() - startNs) / CALLS
  const samples = []
  for (let index = 0; index < SAMPLES; index += 1) {
    startNs = process.hrtime.bigint()
    await session.gate('before', node)
    samples.push(Number(process.hrtime.bigint() - startNs))
  }
  samples.sort((left, right) => left - right)
  const empty = []
  const done = Promise.resolve()
  for (let index = 0; index < SAMPLES; index += 1) {
    startNs = process.hrtime.bigint()
    await done
    empty.push(Number(process.hrtime.bigint() - startNs))
  }
  empty.sort((left, right) => left - right)
  await session.dispose()
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    callMeanNs: round(meanNs),
    awaitedMeanNs: round(mean(samples)),
    awaitedP99Ns: at(samples, 0.99),
    awaitOfAResolvedPromiseMeanNs: round(mean(empty)),
    awaitOfAResolvedPromiseP99Ns: at(empty, 0.99),
    allocatedBytesACall: round(bytes, 3),
  }
}

async function releases() {
  const times = []
  for (let index = 0; index < ROUNDS; index += 1) {
    const viewer = await startFakeViewer({ breakpoints: [{}] })
    const session = createSession({ url: viewer.url, env: {}, logger: quiet })
    await session.ready()
    const gates = Array.from({ length: HOLDS }, (_, call) => session.gate('before', { ...node, instanceId: `call-${call}` }))
    await viewer.event('exec.paused', HOLDS)
    const startMs = performance.now()
    const released = gates.map((gate) => gate.then(() => times.push(performance.now() - startMs)))
    viewer.disconnect()
    await Promise.all(released)
    await session.dispose()
    await viewer.close()
  }
  times.sort((left, right) => left - right)
  return { holds: times.length, p50Ms: round(at(times, 0.5), 2), p99Ms: round(at(times, 0.99), 2), maxMs: round(times.at(-1), 2) }
}

console.log(JSON.stringify({ node: process.version, detachedGate: await detached(), disconnectToRelease: await releases() }, null, 2))
