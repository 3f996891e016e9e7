// Measures one target and prints one JSON report. `bench.mjs` runs this once for each target, so that none profits from a warm driver.
//   node test/bench/measure.mjs --target graphmind --format protobuf --runs 1000
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { megabytes, sleep, spread } from './driver/figures.mjs'
import { closeConnections } from './driver/http.mjs'
import { ingest } from './driver/ingest.mjs'
import { live } from './driver/live.mjs'
import { readOptions } from './driver/options.mjs'
import { folderBytes, start, stop, usage } from './driver/process.mjs'
import { bigRun, timed, wholeRuns } from './driver/queries.mjs'
import { encode } from './load/encode.mjs'
import { batches, makeRun } from './load/runs.mjs'
import { LOAD_OPTIONS } from './load-options.mjs'

const options = readOptions(process.argv.slice(2), { ...LOAD_OPTIONS, target: 'graphmind', format: 'protobuf' })
const { default: target } = await import(`./targets/${options.target}.mjs`)
const cut = target.batches ?? batches
const encodeBody = target.body ?? ((groups) => encode[options.format](groups))
const root = mkdtempSync(join(tmpdir(), 'graphmind-bench-'))
const report = {
  target: target.name,
  version: target.version(),
  machine: { cpus: cpus().length, model: cpus()[0].model, node: process.version },
}
let running

try {
  const starts = await coldStarts()
  const requests = [...cut(options, options.batch)].map(({ groups, spans }) => {
    const body = encodeBody(groups)
    return { body: options.gzip ? gzipSync(body, { level: 1 }) : body, spans }
  })
  const folder = emptyFolder('main')
  running = await start(target, folder)
  report.startMs = spread([...starts, running.startMs])
  await sleep(1500)
  report.idleMb = megabytes(usage(running.pid).residentBytes)
  const emptyBytes = folderBytes(folder)
  report.ingest = await ingest(running, target, requests, options)
  if (options.kill) await afterKill(folder)
  else await queries(folder, emptyBytes)
} catch (error) {
  report.error = error.stack
} finally {
  if (running !== undefined) await stop(running)
  closeConnections()
  rmSync(root, { recursive: true, force: true })
}
console.log(JSON.stringify(report, null, 1))
process.exitCode = report.error === undefined ? 0 : 1

function emptyFolder(name) {
  const folder = join(root, name)
  mkdirSync(folder)
  return folder
}

async function coldStarts() {
  const times = []
  for (let index = 0; index < options.starts; index++) {
    running = await start(target, emptyFolder(`start-${index}`))
    times.push(running.startMs)
    await stop(running)
  }
  return times
}

async function afterKill(folder) {
  await stop(running, 'SIGKILL')
  running = await start(target, folder)
  // Time to replay a journal.
  await sleep(5000)
  report.afterKill = await wholeRuns(running, target, options)
}

async function queries(folder, emptyBytes) {
  const { base } = running
  await sleep(2000)
  if (target.list !== undefined) report.list = await timed(target.list(base, 50), 30, target.listCount)
  if (target.run !== undefined) {
    report.openRun = await timed(target.run(base, makeRun(options, Math.floor(options.runs / 2)).traceId), 30, target.spanCount)
  }
  if (options.live > 0) report.live = await live(running, target, options, encodeBody)
  const isBig = options.big > 0 && target.run !== undefined
  if (isBig) report.bigRun = await bigRun(running, target, options, cut, encodeBody)
  await stop(running)
  const spans = report.ingest.spans + (isBig ? options.big : 0)
  report.diskBytesPerSpan = Math.round((folderBytes(folder) - emptyBytes) / spans)
  running = await start(target, folder)
  if (target.list !== undefined) report.firstList = await timed(target.list(running.base, 50), 1, target.listCount)
}
