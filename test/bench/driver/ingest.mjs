import { makeRun } from '../load/runs.mjs'
import { megabytes, sleep, spread } from './figures.mjs'
import { getJson, send } from './http.mjs'
import { usage } from './process.mjs'

const RETRIED = [429, 502, 503, 504]

/** Sends the load and waits until it can be queried. With `kill`, waiting is left out: the target is about to die. */
export async function ingest(running, target, requests, options) {
  const watch = target.attach === undefined ? undefined : await target.attach(running.base)
  const { url, headers } = target.ingest(running.base, options.format)
  const codes = {}
  const times = []
  let peakBytes = 0
  let failedSpans = 0
  const cpuBefore = usage(running.pid).cpuSeconds
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, usage(running.pid).residentBytes)
  }, 200)
  const begun = performance.now()
  let next = 0
  const sendAll = async () => {
    while (next < requests.length) {
      const request = requests[next++]
      const status = await deliver(url, { ...headers, ...(options.gzip ? { 'content-encoding': 'gzip' } : {}) }, request.body, codes, times)
      if (status < 200 || status >= 300) failedSpans += request.spans
    }
  }
  await Promise.all(Array.from({ length: options.connections }, sendAll))
  const acceptedMs = performance.now() - begun
  const missing = options.kill ? 0 : await untilQueryable(running, target, watch, options)
  const queryableMs = performance.now() - begun
  const after = usage(running.pid)
  const derivedMs = options.kill || target.waiting === undefined ? undefined : await untilDerived(running, target, begun, options)
  clearInterval(sampler)
  watch?.close()
  const spans = requests.reduce((sum, request) => sum + request.spans, 0)
  const bytes = requests.reduce((sum, request) => sum + request.body.length, 0)
  const rate = (milliseconds) => Math.round(spans / (milliseconds / 1000))
  return {
    format: options.format,
    requests: requests.length,
    spans,
    wireBytesPerSpan: Math.round(bytes / spans),
    codes,
    failedSpans,
    acceptedSpansPerSecond: rate(acceptedMs),
    queryableSpansPerSecond: missing > 0 || options.kill ? null : rate(queryableMs),
    ...(derivedMs === undefined ? {} : { derivedSpansPerSecond: rate(derivedMs) }),
    runsMissing: missing,
    requestMs: spread(times),
    cpuMicrosPerSpan: Number((((after.cpuSeconds - cpuBefore) * 1e6) / spans).toFixed(1)),
    peakMb: megabytes(Math.max(peakBytes, after.residentBytes)),
    ...(derivedMs === undefined
      ? {}
      : { derivedCpuMicrosPerSpan: Number((((usage(running.pid).cpuSeconds - cpuBefore) * 1e6) / spans).toFixed(1)) }),
  }
}

/** Sends one body as an exporter does: what may be retried is. Resolves with the last status, 0 when there was none. */
async function deliver(url, headers, body, codes, times) {
  for (let attempt = 0; ; attempt++) {
    const begun = performance.now()
    const answer = await send('POST', url, { headers, body }).catch((error) => ({ status: 0, code: error.code, headers: {} }))
    times.push(performance.now() - begun)
    const label = answer.code ?? answer.status
    codes[label] = (codes[label] ?? 0) + 1
    if (!RETRIED.includes(answer.status) || attempt >= 50) return answer.status
    const wait = Number(answer.headers['retry-after'] ?? Number.NaN) * 1000
    await sleep(Number.isFinite(wait) ? wait : Math.min(1000, 25 * 2 ** attempt))
  }
}

/** The load is queryable when the last run and 20 others spread over it are whole. Returns how many are not when time is up. */
async function untilQueryable(running, target, watch, options) {
  const last = options.runs - 1
  let missing = [...new Set([last, ...Array.from({ length: 20 }, (_, index) => Math.floor((index * last) / 20))])]
  const until = performance.now() + options.timeout * 1000
  while (missing.length > 0 && performance.now() < until) {
    const still = []
    for (const index of missing) {
      const run = makeRun(options, index)
      if ((await spansOf(running, target, watch, run.traceId)) < run.spans.length) still.push(index)
    }
    missing = still
    if (missing.length > 0) await sleep(20)
  }
  return missing.length
}

/** Milliseconds until nothing waits to be read any more. Asked rarely, so as not to be the load. */
async function untilDerived(running, target, begun, options) {
  while (performance.now() - begun < options.timeout * 1000) {
    if ((await target.waiting(running.base)) === 0) return performance.now() - begun
    await sleep(250)
  }
  throw new Error('spans still wait to be read')
}

async function spansOf(running, target, watch, traceId) {
  if (watch !== undefined) return watch.probe(traceId)
  const { json } = await getJson(target.run(running.base, traceId))
  return json === null ? 0 : target.spanCount(json)
}
