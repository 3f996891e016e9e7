import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { root, startProgram } from '../support/process.ts'

const BIN = join(root, 'collector', 'bin', 'graphmind.js')
const RECORDING = ['start', 'continue'].map((piece) => readFileSync(join(root, 'collector', 'demo', `${piece}.ndjson`), 'utf8'))
const RUN = 'run</script><img src=x onerror=alert(1)>'

let browser: Browser
let folder: string
beforeAll(async () => {
  browser = await launchBrowser()
  folder = mkdtempSync(join(tmpdir(), 'graphmind-page-'))
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

const graphmind = async (...args: readonly string[]) => {
  const program = startProgram([BIN, ...args, '--db', join(folder, 'graphmind.db')], { cwd: folder })
  expect({ code: await program.exited, output: program.output() }).toMatchObject({ code: 0 })
}

/** The recorded demo as one run, with a name that would break a careless page. */
async function importDemo(): Promise<void> {
  const lines = RECORDING.flatMap((piece) => piece.trim().split('\n')).map((line) => JSON.parse(line))
  const started = {
    gm: 1,
    ts: lines[0].ts,
    type: 'run.started',
    payload: { app: 'trip', sdk: { name: 'x', version: '1' }, meta: { name: RUN } },
  }
  const finished = { gm: 1, ts: lines.at(-1).ts, type: 'run.finished', payload: { status: 'ok' } }
  const text = [started, ...lines, finished].map((line, seq) => JSON.stringify({ ...line, runId: 'demo', seq })).join('\n')
  writeFileSync(join(folder, 'demo.ndjson'), text)
  await graphmind('import', join(folder, 'demo.ndjson'))
}

it('shows the run in a browser without a server, says what is dead in it, and asks nobody for anything', async () => {
  await importDemo()
  const file = join(folder, 'demo.html')
  await graphmind('record', 'demo', '--html', '--out', file)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  try {
    await page.goto(pathToFileURL(file).href)
    await page.getByRole('heading', { name: RUN, level: 1 }).waitFor()
    await page.getByText('A recorded run, written').waitFor()
    await page
      .getByRole('button', { name: /tool checkBudget/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'tool checkBudget' }).waitFor()
    await page.getByText('A total of 7776742 EUR').first().waitFor()
    expect(await page.getByRole('link', { name: 'Runs' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Break before/ }).count()).toBe(0)
    expect(await page.getByRole('radio', { name: 'Step' }).count()).toBe(0)
    expect(await page.getByRole('switch').count()).toBe(0)
    await page.keyboard.press('b')
    expect(requests.filter((url) => !/^(file|blob|data):/.test(url))).toEqual([])
    expect(complaints).toEqual([])
    await page.screenshot({ path: join(root, 'test', 'screenshots', 'recorded-page.png') })
  } finally {
    await page.close()
  }
})
