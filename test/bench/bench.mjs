// Measures GraphMind and its peers under the same load, one after another, and prints one table. test/bench/README.md says what each number is.
//   npm run bench                                            everything, 10,000 runs × 20 spans (half an hour on two cores)
//   npm run bench -- --targets graphmind,genkit --runs 2000  some of it
//   npm run bench -- --short                                 GraphMind alone, in under a minute
//   npm run bench -- --kill                                  what is whole after a SIGKILL right after the last 2xx
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from './driver/options.mjs'
import { LOAD_OPTIONS } from './load-options.mjs'
import { installPeer } from './peers.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const OWN = {
  /** `name` or `name:format`. */
  targets: 'graphmind,graphmind:json,genkit,sideseat,spotlight',
  short: false,
  /** Folder for the whole reports. */
  out: '',
}
const SHORT = { targets: 'graphmind', runs: 300, starts: 2, live: 15, big: 1000 }
const argv = process.argv.slice(2)
const options = readOptions(argv, { ...OWN, ...LOAD_OPTIONS, ...(argv.includes('--short') ? SHORT : {}) })
const load = Object.keys(LOAD_OPTIONS).flatMap((name) => [`--${name}`, String(options[name])])

const COLUMNS = [
  ['target', (report) => report.target],
  ['format', (report) => report.ingest.format],
  ['start ms', (report) => report.startMs.p50],
  ['accepted spans/s', (report) => report.ingest.acceptedSpansPerSecond],
  ['queryable spans/s', (report) => report.ingest.queryableSpansPerSecond],
  ['read spans/s', (report) => report.ingest.derivedSpansPerSecond],
  ['CPU µs/span', (report) => report.ingest.cpuMicrosPerSpan],
  ['CPU µs/span, read', (report) => report.ingest.derivedCpuMicrosPerSpan],
  ['idle MB', (report) => report.idleMb],
  ['peak MB', (report) => report.ingest.peakMb],
  ['list p50 ms', (report) => report.list.ms.p50],
  ['open run p50 ms', (report) => report.openRun.ms.p50],
  ['open big run p50 ms', (report) => report.bigRun.open.ms.p50],
  ['big run without payloads p50 ms', (report) => report.bigRun.bare.ms.p50],
  ['the same as the viewer opens it p50 ms', (report) => report.bigRun.asViewer.ms.p50],
  [
    'live p50 / p95 ms',
    (report) => `${report.live.ms.p50} / ${report.live.ms.p95}${report.live.lost > 0 ? `, ${report.live.lost} lost` : ''}`,
  ],
  ['disk B/span', (report) => report.diskBytesPerSpan],
  ['first list after restart ms', (report) => report.firstList.ms.p50],
  ['whole after SIGKILL', (report) => `${report.afterKill.whole}/${report.afterKill.asked}`],
]

const reports = options.targets.split(',').map(measure)
const limit = Number(script('insert-limit.mjs', load).trim())
console.log(`| ${COLUMNS.map(([title]) => title).join(' | ')} |\n|${COLUMNS.map(() => '---').join('|')}|`)
for (const report of reports) console.log(`| ${COLUMNS.map(([, read]) => cell(report, read)).join(' | ')} |`)
console.log(`\n${options.runs} runs × ${options.spans} spans. Raw prepared inserts of the same spans here: ${limit} spans/s.`)
for (const { target, ingest } of reports) {
  const rate = ingest?.queryableSpansPerSecond
  if (target === 'graphmind' && typeof rate === 'number')
    console.log(`GraphMind (${ingest.format}) reaches ${Math.round((100 * rate) / limit)} % of that.`)
}
for (const { target, error } of reports) if (error !== undefined) console.error(`${target}: ${error}`)
process.exitCode = reports.some(isUnsound) ? 1 : 0

function measure(entry) {
  const [name, wanted] = entry.split(':')
  const format = wanted ?? (['genkit', 'spotlight'].includes(name) ? 'json' : 'protobuf')
  console.error(`${name} (${format}) …`)
  try {
    installPeer(name)
    const report = JSON.parse(script('measure.mjs', ['--target', name, '--format', format, ...load]))
    if (options.out !== '') {
      mkdirSync(options.out, { recursive: true })
      writeFileSync(join(options.out, `${name}-${format}.json`), `${JSON.stringify(report, null, 1)}\n`)
    }
    return report
  } catch (error) {
    return { target: name, error: error.message }
  }
}

function script(file, args) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(here, file), ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (stdout === '') throw new Error(stderr)
  return stdout
}

/** A figure that was not taken is a dash. */
function cell(report, read) {
  try {
    return String(read(report) ?? '–')
  } catch {
    return '–'
  }
}

/** Only our own target decides: a peer that can't be installed here is no failure of ours. */
function isUnsound({ target, error, ingest, afterKill }) {
  if (target !== 'graphmind') return false
  return (
    error !== undefined ||
    ingest.failedSpans > 0 ||
    ingest.runsMissing > 0 ||
    (afterKill !== undefined && afterKill.whole < afterKill.asked)
  )
}
