// The ingest worker's work without thread and HTTP, so that a CPU profile shows it alone. Prints what a span costs.
//   node --cpu-prof --cpu-prof-dir=/tmp/profile test/bench/ingest-profile.mjs --runs 1500
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JobQueue } from '../../collector/dist/ingest/job-queue.js'
import { openWriter } from '../../collector/dist/store/database.js'
import { readOptions } from './driver/options.mjs'
import { encodeProtobuf } from './load/encode-protobuf.mjs'
import { batches } from './load/runs.mjs'
import { LOAD_OPTIONS } from './load-options.mjs'

const options = readOptions(process.argv.slice(2), { ...LOAD_OPTIONS, runs: 1500 })
const bodies = [...batches(options, options.batch)].map(({ groups }) => new Uint8Array(encodeProtobuf(groups)))
const spans = options.runs * options.spans
const folder = mkdtempSync(join(tmpdir(), 'graphmind-profile-'))
try {
  const path = join(folder, 'profile.db')
  const opened = openWriter(path)
  if (!opened.ok) throw new Error(opened.problem.message)
  const database = opened.value
  let refused = 0
  const queue = new JobQueue(database, Date.now, (message) => {
    if (message.kind === 'exported' && message.outcome.status !== 200) refused += 1
  })
  const begun = performance.now()
  for (const [id, body] of bodies.entries()) {
    queue.add({ kind: 'export', id, signal: 'traces', body, format: 'protobuf', encoding: 'identity' })
    while (queue.turn() !== 'nothing');
  }
  const micros = (performance.now() - begun) * 1000
  const events = database.prepare('SELECT type, count(*) AS count, sum(length(payload)) AS bytes FROM events GROUP BY type').all()
  const raw = database.prepare('SELECT sum(length(raw)) AS raw, sum(length(facts)) AS facts FROM spans').get()
  database.close()
  const each = (number) => Number((number / spans).toFixed(2))
  console.log(`${each(micros)} µs a span (${Math.round((spans / micros) * 1e6)} spans/s), ${refused} requests refused`)
  for (const { type, count, bytes } of events) console.log(`  ${type}: ${each(count)} events and ${each(bytes)} bytes a span`)
  console.log(`  raw ${each(raw.raw)}, facts ${each(raw.facts)}, file ${each(statSync(path).size)} bytes a span`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
