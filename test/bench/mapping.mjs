// What it costs to understand a span, without thread, store and HTTP: decoding, mapping and assembling, and how that grows with the run.
//   npm run bench:mapping -- --dialect genai --sizes 20,500,5000,50000
//   node --cpu-prof --cpu-prof-dir=/tmp/profile test/bench/mapping.mjs --sizes 5000
import { assemble, concludeRun } from '../../collector/dist/ingest/assemble.js'
import { digest } from '../../collector/dist/ingest/outbox.js'
import { newRunState } from '../../collector/dist/ingest/run-state.js'
import { newTally, sumTally, tallyEvent } from '../../collector/dist/ingest/tally.js'
import { decodeTraces } from '../../collector/dist/otlp/decode.js'
import { mapSpan } from '../../mappings/dist/index.js'
import { readOptions } from './driver/options.mjs'
import { encodeProtobuf } from './load/encode-protobuf.mjs'
import { batches } from './load/runs.mjs'
import { LOAD_OPTIONS } from './load-options.mjs'

/** What one commit takes of one run. */
const COMMIT_SPANS = 256

const options = readOptions(process.argv.slice(2), { ...LOAD_OPTIONS, sizes: '20,500,5000,50000', total: 50_000 })
const stages = ['decode', 'map', 'assemble', 'conclude']
console.log(`dialect ${options.dialect}, about ${options.total} spans a size; µs a span`)
console.log(`${'run size'.padStart(8)} ${stages.map((stage) => stage.padStart(9)).join(' ')} ${'all'.padStart(9)}`)
// The first round warms the code up and is not shown.
measure(20, 2_000)
for (const size of String(options.sizes).split(',').map(Number)) {
  const figures = measure(size, options.total)
  const all = stages.reduce((sum, stage) => sum + figures[stage], 0)
  console.log(
    `${String(size).padStart(8)} ${[...stages.map((stage) => figures[stage]), all].map((us) => us.toFixed(2).padStart(9)).join(' ')}`,
  )
}

function measure(size, total) {
  const load = { ...options, spans: size, runs: Math.max(1, Math.round(total / size)) }
  const spent = Object.fromEntries(stages.map((stage) => [stage, 0]))
  const runs = new Map()
  let spans = 0
  for (const { groups } of batches(load, 512)) {
    const body = new Uint8Array(encodeProtobuf(groups))
    const decoded = timed(spent, 'decode', () => decodeTraces(body, 'protobuf'))
    // As the worker does: earlier starts first, a slice a commit.
    const arrived = decoded.value.spans
      .map((span) => ({ span, hash: digest(JSON.stringify(span.raw)) }))
      .toReversed()
      .sort(({ span: one }, { span: other }) => (one.view.startNanos < other.view.startNanos ? -1 : 1))
    spans += arrived.length
    for (let at = 0; at < arrived.length; at += COMMIT_SPANS) commit(runs, arrived.slice(at, at + COMMIT_SPANS), spent)
  }
  return Object.fromEntries(stages.map((stage) => [stage, spent[stage] / spans]))
}

function commit(runs, slice, spent) {
  const touched = new Set()
  for (const { span, hash } of slice) {
    const run = runOf(runs, span.view.traceId)
    touched.add(run)
    const mapped = timed(spent, 'map', () => mapSpan(span.view))
    run.views.set(span.view.spanId, span)
    const assembled = timed(spent, 'assemble', () => assemble(run.state, { span, mapped, hash, nowNanos: 1n }, run.sourceOf(span, mapped)))
    for (const event of assembled?.events ?? []) tallyEvent(run.tally, event)
  }
  for (const run of touched) {
    timed(spent, 'conclude', () => {
      for (const event of concludeRun(run.state, run.source)) tallyEvent(run.tally, event)
      sumTally(run.tally)
    })
  }
}

/** A run in memory. What a stored span meant is read from it again, as from the store. */
function runOf(runs, runId) {
  const known = runs.get(runId)
  if (known !== undefined) return known
  const state = newRunState(runId)
  const views = new Map()
  const contentOf = (span, mapped) => ({ mapped, marks: span.marks, final: span.view.endNanos !== undefined })
  const content = (id, ours) => {
    const derived = state.derived.get(id)
    if (derived !== undefined) return { mapped: derived, marks: { ours: false }, final: true }
    const span = views.get(id)
    return span === undefined || span.marks.ours !== ours ? undefined : contentOf(span, mapSpan(span.view))
  }
  const sourceOf = (span, mapped) => ({
    content: (id, ours) => (id === span.view.spanId && ours === span.marks.ours ? contentOf(span, mapped) : content(id, ours)),
  })
  const run = { state, views, tally: newTally(), source: { content }, sourceOf }
  runs.set(runId, run)
  return run
}

/** Processor time of this thread: other programs on the machine don't count. */
function timed(spent, stage, work) {
  const begun = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(begun)
  spent[stage] += user + system
  return result
}
