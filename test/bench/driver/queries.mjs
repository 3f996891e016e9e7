import { makeRun } from '../load/runs.mjs'
import { sleep, spread } from './figures.mjs'
import { getJson, send } from './http.mjs'

/** Times `count` requests of one address; `read` counts the rows of its answer. */
export async function timed(url, count, read) {
  const times = []
  let last
  for (let index = 0; index < count; index++) {
    const begun = performance.now()
    last = await getJson(url)
    times.push(performance.now() - begun)
  }
  return { status: last.status, rows: last.json === null ? null : read(last.json), bytes: last.bytes, ms: spread(times) }
}

/** Times reading all pages of an address that says where the next begins. */
async function timedPages(url, count) {
  const times = []
  for (let index = 0; index < count; index++) {
    const begun = performance.now()
    for (let after = ''; after !== null; ) {
      const { json } = await getJson(after === '' ? url : `${url}&afterSeq=${after}`)
      after = json.nextAfterSeq
    }
    times.push(performance.now() - begun)
  }
  return { ms: spread(times) }
}

/** Sends one run of many spans, waits until it is whole, and opens it. */
export async function bigRun(running, target, options, cut, encodeBody) {
  const load = { ...options, seed: options.seed + 99, spans: options.big, runs: 1, start: Date.UTC(2026, 5, 1) }
  const { traceId } = makeRun(load, 0)
  const { url, headers } = target.ingest(running.base, options.format)
  const begun = performance.now()
  for (const batch of cut(load, options.batch)) await send('POST', url, { headers, body: encodeBody(batch.groups) })
  const address = target.run(running.base, traceId)
  const isWhole = async () => {
    const { json } = await getJson(address)
    return json !== null && target.spanCount(json) >= options.big
  }
  while (!(await isWhole()) && performance.now() - begun < 60_000) await sleep(20)
  const visibleMs = Math.round(performance.now() - begun)
  const open = await timed(address, 5, target.spanCount)
  if (target.bareRun === undefined) return { spans: options.big, visibleMs, open }
  // A run that is done is packed after it has been quiet for a while; both are measured.
  const bare = await timedPages(target.bareRun(running.base, traceId), 5)
  const times = []
  for (let index = 0; index < 5; index++) {
    const opened = performance.now()
    await target.openAsViewer(running.base, traceId)
    times.push(performance.now() - opened)
  }
  return { spans: options.big, visibleMs, open, bare, asViewer: { ms: spread(times) } }
}

/** How many of 500 runs spread over the load are whole. */
export async function wholeRuns(running, target, options) {
  const step = Math.max(1, Math.floor(options.runs / 500))
  let asked = 0
  let whole = 0
  for (let index = 0; index < options.runs; index += step) {
    const run = makeRun(options, index)
    const { json } = await getJson(target.run(running.base, run.traceId))
    asked += 1
    if (json !== null && target.spanCount(json) >= run.spans.length) whole += 1
  }
  return { asked, whole }
}
