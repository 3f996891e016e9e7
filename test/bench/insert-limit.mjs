// How many spans a second SQLite can store here at all: no HTTP, no decoding, no mapping; one prepared insert a span, with the attributes
// as JSON text, in transactions of one request. Prints one number, the median of three. Ingest can be no faster than this.
//   node test/bench/insert-limit.mjs --runs 1000
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readOptions } from './driver/options.mjs'
import { batches } from './load/runs.mjs'
import { LOAD_OPTIONS } from './load-options.mjs'

const options = readOptions(process.argv.slice(2), LOAD_OPTIONS)
const requests = [...batches(options, options.batch)].map(({ groups }) => groups.flatMap(({ spans }) => spans.map(rowOf)))
const folder = mkdtempSync(join(tmpdir(), 'graphmind-limit-'))
try {
  const rates = ['one.db', 'two.db', 'three.db'].map(rateOf).sort((one, other) => one - other)
  console.log(rates[1])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function rateOf(name) {
  const database = new DatabaseSync(join(folder, name))
  database.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(`CREATE TABLE spans (trace TEXT, span TEXT, parent TEXT, name TEXT, kind INTEGER, started INTEGER, ended INTEGER, status INTEGER,
    payload TEXT, PRIMARY KEY (trace, span))`)
  const insert = database.prepare('INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const begun = performance.now()
  for (const rows of requests) {
    database.exec('BEGIN')
    for (const row of rows) insert.run(...row)
    database.exec('COMMIT')
  }
  const seconds = (performance.now() - begun) / 1000
  database.close()
  return Math.round((options.runs * options.spans) / seconds)
}

function rowOf({ traceId, spanId, parentSpanId, name, kind, start, end, status, attributes }) {
  const payload = JSON.stringify(Object.fromEntries(attributes), (_key, value) => (typeof value === 'bigint' ? Number(value) : value))
  return [traceId, spanId, parentSpanId, name, kind, start / 1000n, end / 1000n, status.code, payload]
}
