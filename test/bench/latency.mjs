// How long a user waits, measured with the real collector, the real processor and real Chromium:
//   span started in the app → its node lit in the page          (the page's mark gm:node-lit)
//   Continue clicked in the page → the held callback runs       (the page's mark gm:resume-sent)
// npm run bench:latency -- [calls]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import sparticuz from '@sparticuz/chromium'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const calls = Number(process.argv[2] ?? 30)
const folder = mkdtempSync(join(tmpdir(), 'graphmind-latency-'))

const collector = spawn(
  process.execPath,
  [
    join(root, 'collector/bin/graphmind.js'),
    'serve',
    '--port',
    '0',
    '--json',
    '--no-open',
    '--no-otlp-ports',
    '--db',
    join(folder, 'g.db'),
  ],
  { stdio: ['ignore', 'pipe', 'ignore'] },
)
const [first] = await once(createInterface({ input: collector.stdout }), 'line')
const { url } = JSON.parse(first)
const browser = await chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/breakpoints`)
  await page.getByRole('switch', { name: 'Break before any tool' }).click()

  const agent = spawn(process.execPath, [join(root, 'test/bench/latency-agent.mjs'), String(calls)], {
    env: { ...process.env, GRAPHMIND_URL: `${url.replace('http', 'ws')}/ingest` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(agent, 'exit')
  const reported = []
  createInterface({ input: agent.stdout }).on('line', (line) => reported.push(JSON.parse(line)))
  await page.getByRole('link', { name: 'Runs' }).click()
  await page.getByRole('link', { name: /latency/ }).click()
  for (let call = 0; call < calls; call++) {
    await page
      .getByRole('region', { name: 'Paused' })
      .filter({ hasText: new RegExp(`tool_${call}_`) })
      .waitFor()
    await page.getByRole('button', { name: new RegExp(`tool tool_${call}_.*paused`, 'i') }).waitFor()
    await page.keyboard.press('c')
  }
  await ended

  const marks = await page.evaluate(() =>
    performance.getEntriesByType('mark').map((mark) => ({ name: mark.name, at: performance.timeOrigin + mark.startTime })),
  )
  const lit = new Map(
    marks.filter((mark) => mark.name.startsWith('gm:node-lit:')).map((mark) => [mark.name.slice('gm:node-lit:'.length), mark.at]),
  )
  const sent = marks.filter((mark) => mark.name.startsWith('gm:resume-sent:')).map((mark) => mark.at)
  // The first call starts before the page shows the run, so it tells nothing about the live path.
  report(
    'span started → node lit',
    reported.slice(1).map((call) => lit.get(call.instanceId) - call.startedAt),
  )
  report(
    'Continue → callback runs',
    reported.slice(1).map((call, index) => call.releasedAt - sent[index + 1]),
  )
} finally {
  await browser.close()
  collector.kill('SIGTERM')
  await once(collector, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

function report(what, values) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1)
  console.log(
    `${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${sorted.at(-1)?.toFixed(1)} ms (${sorted.length} of ${values.length} calls)`,
  )
}
