import { makeRun } from '../load/runs.mjs'
import { sleep, spread } from './figures.mjs'
import { getJson, send } from './http.mjs'

const LOST_AFTER_MS = 10_000

/** Sends small runs one by one: from the POST to the trace id on the push stream, which may come before the answer to the POST, or to the run's answer where there is no such stream. */
export async function live(running, target, options, encodeBody) {
  const { url, headers } = target.ingest(running.base, options.format)
  const eye = target.live === undefined ? polling(running, target) : await listening(running, target)
  const times = []
  let lost = 0
  for (let index = 0; index < options.live; index++) {
    const run = makeRun({ ...options, seed: options.seed + 7777, runs: options.live, spans: 2, start: Date.now() }, index)
    const body = encodeBody([{ resource: run.resource, scope: run.scope, spans: run.spans }])
    const begun = performance.now()
    const seen = eye.sees(run.traceId)
    await send('POST', url, { headers, body })
    const seenAt = await Promise.race([seen(), sleep(LOST_AFTER_MS)])
    if (seenAt === undefined) lost += 1
    else times.push(seenAt - begun)
    await sleep(50)
  }
  eye.close()
  return { by: target.live === undefined ? 'asking' : 'push', lost, ms: spread(times) }
}

async function listening(running, target) {
  const waiting = new Map()
  let tail = ''
  const close = await target.live(running.base, (chunk) => {
    // An id may be cut in two by the border of a chunk.
    const text = tail + chunk
    tail = text.slice(-64)
    for (const [traceId, seen] of waiting) {
      if (!text.includes(traceId)) continue
      waiting.delete(traceId)
      seen(performance.now())
    }
  })
  await sleep(300)
  return {
    sees: (traceId) => {
      const pushed = new Promise((resolve) => waiting.set(traceId, resolve))
      return () => pushed
    },
    close,
  }
}

function polling(running, target) {
  return {
    sees: (traceId) => async () => {
      for (const until = performance.now() + LOST_AFTER_MS; performance.now() < until; await sleep(1)) {
        const { json } = await getJson(target.run(running.base, traceId))
        if (json !== null && target.spanCount(json) >= 1) return performance.now()
      }
      return undefined
    },
    close: () => undefined,
  }
}
