// What the viewer costs, measured with the real collector and real Chromium: npm run bench:viewer [-- --large] [--flood SECONDS] [--runs COUNT] [--only runs]
//   first paint, also on a quarter of the processor · opening runs of 5, 500 and 10,000 calls (--large: 100,000) · rows in the page ·
//   scrolling · selecting a call → its header in the inspector · key → paint while 500 events a second come · 2,000 events a second beside a graph of 60 nodes · the list of 10,000 runs
// Where the machine does other things too, look at the processor time of the page (cpu) instead of the clock.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import sparticuz from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import { manySpans, postSpans } from './otlp-run.mjs'
import { measureRunsList } from './viewer-runs.mjs'

const { values: options } = parseArgs({
  options: {
    collector: { type: 'string' },
    large: { type: 'boolean', default: false },
    flood: { type: 'string', default: '10' },
    runs: { type: 'string', default: '10000' },
    only: { type: 'string' },
  },
})
const collectorProgram = options.collector ?? fileURLToPath(new URL('../../collector/bin/graphmind.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'graphmind-viewer-bench-'))
const collector = spawn(
  process.execPath,
  [collectorProgram, 'serve', '--port', '0', '--json', '--no-open', '--no-otlp-ports', '--db', join(folder, 'g.db')],
  // All runs are to stay.
  { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, GRAPHMIND_RETENTION: 'off' } },
)
const [first] = await once(createInterface({ input: collector.stdout }), 'line')
const { url } = JSON.parse(first)
const browser = await chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'] })
const browserSession = await browser.newBrowserCDPSession()
const largest = options.large ? 100_000 : 10_000
try {
  if (options.only !== 'runs') await measureRun()
  await measureRunsList({ url, count: Number(options.runs), newPage, pagesCpu, report })
} finally {
  await browser.close()
  collector.kill('SIGTERM')
  await once(collector, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

/** One run at a time, of several sizes. */
async function measureRun() {
  const runs = new Map()
  for (const calls of options.large ? [5, 500, 10_000, 100_000] : [5, 500, 10_000]) {
    const { traceId, spans } = manySpans(calls, { fan: 40, name: `calls-${calls}` })
    await postSpans(url, spans)
    runs.set(calls, traceId)
  }
  for (const slower of [1, 4]) await measureFirstPaint(runs.get(500), slower)
  for (const [calls, runId] of runs) for (const view of ['graph', 'timeline']) await measureOpen(calls, runId, view)
  await measureScroll(runs.get(largest))
  await measureSelection(runs.get(largest))
  await measureKeys()
  await measureFlood(Number(options.flood))
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

/** Processor seconds of all pages so far. */
async function pagesCpu() {
  const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

async function measureFirstPaint(runId, slower) {
  const page = await newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await page.goto(`${url}/run/${runId}?view=timeline`)
  await page.waitForFunction(() => performance.getEntriesByName('gm:run-shown').length > 0)
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)
  console.log(`first paint${slower === 1 ? '' : `, processor ÷ ${slower}`}: ${painted.toFixed(0)} ms`)
  await page.close()
}

async function measureOpen(calls, runId, view) {
  const page = await newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const startedAt = performance.now()
  const cpuBefore = await pagesCpu()
  await page.goto(`${url}/run/${runId}?view=${view}`)
  await page.getByRole('heading', { name: /steps/ }).filter({ hasNotText: 'Loading' }).waitFor()
  await page.waitForFunction(() => performance.getEntriesByName('gm:run-shown').length > 0)
  // Of lines that come later only those of the view that was asked for count: in the graph the outline's.
  await page.waitForFunction(
    (list) => {
      const lines = document.querySelectorAll(list)
      return lines.length > 4
    },
    view === 'timeline' ? '[role="treegrid"] [role="row"]' : '[role="treeitem"]',
  )
  const wholeMs = performance.now() - startedAt
  const cpu = (await pagesCpu()) - cpuBefore
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name) => metrics.find((entry) => entry.name === name)?.value ?? Number.NaN
  const rows = await page.evaluate(() => document.querySelectorAll('[role="row"], [role="treeitem"]').length)
  const longest = await page.evaluate(() => globalThis.longest)
  console.log(
    `open ${calls} calls, ${view}: ${wholeMs.toFixed(0)} ms in all, cpu ${(cpu * 1000).toFixed(0)} ms, script ${(metric('ScriptDuration') * 1000).toFixed(0)} ms, ` +
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
  report(`scroll ${largest} rows, 900 px a frame, frame`, frames)
  await page.close()
}

/** Keys that walk the outline, until the inspector's header is that of the call they selected. */
async function measureSelection(runId) {
  const page = await newPage()
  await page.goto(`${url}/run/${runId}?view=both`)
  await page.waitForFunction(() => performance.getEntriesByName('gm:run-shown').length > 0)
  await page.getByRole('tree').focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('region', { name: 'Inspector' }).getByRole('tab').first().waitFor()
  const took = []
  for (let press = 0; press < 40; press += 1) {
    took.push(
      await page.evaluate(async () => {
        const header = () => document.querySelector('section[aria-label="Inspector"] h2')?.getAttribute('title')
        const [before, from] = [header(), performance.now()]
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }))
        while (header() === before) await new Promise(requestAnimationFrame)
        await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
        return performance.now() - from
      }),
    )
  }
  report(`selection → header in the inspector, among ${largest} calls`, took)
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

/** Events of a live run at 2,000 a second: how long the page is ever busy at once, and whether its heap grows more than the run does. */
async function measureFlood(seconds) {
  const live = manySpans(1000 * seconds + 400, { name: 'flood', tools: Array.from({ length: 58 }, (_, at) => `tool_${at}`) })
  await postSpans(url, live.spans.slice(0, 400))
  const page = await newPage()
  const session = await page.context().newCDPSession(page)
  await page.goto(`${url}/run/${live.traceId}?view=both`)
  await page.waitForFunction(() => performance.getEntriesByName('gm:run-shown').length > 0)
  const heapMb = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  const before = await heapMb()
  await page.evaluate(() => {
    globalThis.longest = 0
  })
  const cpuBefore = await pagesCpu()
  const startedAt = performance.now()
  // A finished span is a start and an end.
  for (let sent = 400; sent < live.spans.length; sent += 100) {
    await postSpans(url, live.spans.slice(sent, sent + 100))
    const ahead = ((sent - 300) / 1000) * 1000 - (performance.now() - startedAt)
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
  }
  const took = (performance.now() - startedAt) / 1000
  await page.waitForFunction(
    (all) => document.querySelector('[role="treegrid"]')?.getAttribute('aria-rowcount') === String(all),
    live.spans.length,
  )
  const cpu = (await pagesCpu()) - cpuBefore
  const longest = await page.evaluate(() => globalThis.longest)
  const grown = (await heapMb()) - before
  console.log(
    `${(((live.spans.length - 400) * 2) / took).toFixed(0)} events/s for ${took.toFixed(0)} s beside 60 nodes: longest task ${longest.toFixed(0)} ms, ` +
      `cpu ${((cpu / took) * 100).toFixed(0)} %, heap +${grown.toFixed(0)} MB for ${live.spans.length - 400} calls`,
  )
  await page.close()
}

function report(what, values) {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1)
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${sorted.at(-1)?.toFixed(1)} ms`)
}
