// What the viewer costs, measured with the real collector and real Chromium: npm run bench:viewer
//   opening runs of 5, 500 and 10,000 calls, in the graph and in the timeline · rows in the page · scrolling · key → paint while events come
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import sparticuz from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import { manySpans, postSpans } from './otlp-run.mjs'

const collectorProgram = process.argv[2] ?? fileURLToPath(new URL('../../collector/bin/graphmind.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'graphmind-viewer-bench-'))
const collector = spawn(
  process.execPath,
  [collectorProgram, 'serve', '--port', '0', '--json', '--no-open', '--no-otlp-ports', '--db', join(folder, 'g.db')],
  { stdio: ['ignore', 'pipe', 'ignore'] },
)
const [first] = await once(createInterface({ input: collector.stdout }), 'line')
const { url } = JSON.parse(first)
const browser = await chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'] })
try {
  const runs = new Map()
  for (const calls of [5, 500, 10_000]) {
    const { traceId, spans } = manySpans(calls, { fan: 40, name: `calls-${calls}` })
    await postSpans(url, spans)
    runs.set(calls, traceId)
  }
  for (const [calls, runId] of runs) for (const view of ['graph', 'timeline']) await measureOpen(calls, runId, view)
  await measureScroll(runs.get(10_000))
  await measureKeys()
} finally {
  await browser.close()
  collector.kill('SIGTERM')
  await once(collector, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

async function newPage() {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(() => {
    globalThis.longest = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  return page
}

async function measureOpen(calls, runId, view) {
  const page = await newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const startedAt = performance.now()
  await page.goto(`${url}/run/${runId}?view=${view}`)
  await page.getByRole('heading', { name: /steps/ }).filter({ hasNotText: 'Loading' }).waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('gm:run-shown').length > 0)
  const wholeMs = performance.now() - startedAt
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name) => metrics.find((entry) => entry.name === name)?.value ?? Number.NaN
  const rows = await page.evaluate(() => document.querySelectorAll('[role="row"], [role="treeitem"]').length)
  const longest = await page.evaluate(() => globalThis.longest)
  console.log(
    `open ${calls} calls, ${view}: ${wholeMs.toFixed(0)} ms in all, script ${(metric('ScriptDuration') * 1000).toFixed(0)} ms, ` +
      `longest task ${longest.toFixed(0)} ms, ${rows} rows in the page, heap ${(metric('JSHeapUsedSize') / 1e6).toFixed(0)} MB`,
  )
  await page.close()
}

async function measureScroll(runId) {
  const page = await newPage()
  await page.goto(`${url}/run/${runId}?view=timeline`)
  await page.waitForFunction(() => performance.getEntriesByName('gm:run-shown').length > 0)
  const frames = await page.evaluate(async () => {
    const grid = document.querySelector('[role="treegrid"]')
    const took = []
    let before = await new Promise(requestAnimationFrame)
    for (let step = 0; step < 120; step += 1) {
      grid.scrollTop += 900
      const now = await new Promise(requestAnimationFrame)
      took.push(now - before)
      before = now
    }
    return took
  })
  report('scroll 900 px a frame, frame', frames)
  await page.close()
}

/** Keys that walk the outline while a live run of 500 events a second comes in. */
async function measureKeys() {
  const live = manySpans(4000, { name: 'live' })
  const [root, ...rest] = live.spans
  await postSpans(url, [{ ...root, attributes: root.attributes }, ...rest.slice(0, 300)])
  const page = await newPage()
  await page.goto(`${url}/run/${live.traceId}?view=both`)
  await page.waitForFunction(() => performance.getEntriesByName('gm:run-shown').length > 0)
  let sent = 300
  const feeding = setInterval(() => {
    void postSpans(url, rest.slice(sent, sent + 25))
    sent += 25
  }, 100)
  await page.getByRole('tree').focus()
  const took = []
  for (let press = 0; press < 40; press += 1) {
    took.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const from = performance.now()
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)))
          }),
      ),
    )
  }
  clearInterval(feeding)
  report('key → paint while 500 events/s come', took)
  console.log(`longest task then: ${(await page.evaluate(() => globalThis.longest)).toFixed(0)} ms`)
  await page.close()
}

function report(what, values) {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1)
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${sorted.at(-1)?.toFixed(1)} ms`)
}
