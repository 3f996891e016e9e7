// The writing thread's work without thread and HTTP, so that a CPU profile shows it alone. Prints what a span costs in each of its stages, and
// every few thousand spans anew, so that growth with the run or with the store shows.
//   node --cpu-prof --cpu-prof-dir=/tmp/profile test/bench/ingest-profile.mjs --runs 1500
//   node test/bench/ingest-profile.mjs --runs 1 --spans 50000        one large run
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JobQueue } from '../../collector/dist/ingest/job-queue.js'
import { openWriter } from '../../collector/dist/store/writing-database.js'
import { readOptions } from './driver/options.mjs'
import { encodeProtobuf } from './load/encode-protobuf.mjs'
import { batches } from './load/runs.mjs'
import { LOAD_OPTIONS } from './load-options.mjs'

const options = readOptions(process.argv.slice(2), { ...LOAD_OPTIONS, runs: 1500, step: 5000 })
const folder = mkdtempSync(join(tmpdir(), 'graphmind-profile-'))
let refused = 0
let total = 0
let nowMs = Date.now()
try {
  const path = join(folder, 'profile.db')
  const opened = openWriter(path)
  if (!opened.ok) throw new Error(opened.problem.message)
  const database = opened.value
  const queue = new JobQueue(
    database,
    () => nowMs,
    (message) => {
      if (message.kind === 'exported' && message.outcome.status !== 200) refused += 1
    },
    () => undefined,
  )
  console.log('   spans  stored µs  read µs   (CPU a span)')
  let bodies = []
  let spans = 0
  for (const batch of batches(options, options.batch)) {
    bodies.push(new Uint8Array(encodeProtobuf(batch.groups)))
    spans += batch.spans
    if (spans < options.step) continue
    step(queue, bodies, spans)
    bodies = []
    spans = 0
  }
  if (spans > 0) step(queue, bodies, spans)
  // Runs that have ended are packed once they have been quiet.
  nowMs += 86_400_000
  while (queue.turn() === 'more');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const free = Number(database.prepare('PRAGMA freelist_count').get().freelist_count) * 16_384
  database.close()
  console.log(`${Math.round((statSync(path).size - free) / total)} bytes a span, ${refused} requests refused`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function step(queue, bodies, spans) {
  const stored = cpuMicros(() => {
    for (const [id, body] of bodies.entries()) {
      queue.add({ kind: 'export', id, signal: 'traces', body, format: 'protobuf', encoding: 'identity' })
      queue.turn()
    }
  })
  // Long enough for the queue to be taken as quiet.
  nowMs += 1000
  const read = cpuMicros(() => {
    while (queue.turn() === 'more');
  })
  total += spans
  console.log([total, (stored / spans).toFixed(1), (read / spans).toFixed(1)].map((cell) => String(cell).padStart(9)).join(' '))
}

function cpuMicros(work) {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
