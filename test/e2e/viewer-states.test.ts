import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mountTmpfs, NO_TMPFS } from '../faults/support/tmpfs.ts'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample, WAIT_FOR_ATTACH } from '../support/examples.ts'
import { traceOf } from '../support/otlp-trace.ts'
import { root, startProgram } from '../support/process.ts'

let browser: Browser
let folder: string
let collector: RunningCollector
let viewers: ViewerPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(() => {
  viewers = []
  folder = mkdtempSync(join(tmpdir(), 'graphmind-states-'))
})
afterEach(async () => {
  for (const viewer of viewers) await viewer.close()
  await collector.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(where = folder, port = '0'): Promise<void> {
  collector = await startCollector(['--port', port], { folder: where })
}

async function open(path: string): Promise<Page> {
  const viewer = await openViewer(browser, `${collector.url}${path}`)
  viewers.push(viewer)
  return viewer.page
}

async function send(body: string): Promise<number> {
  const answer = await fetch(`${collector.url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return answer.status
}

/** A trace of some searches under one agent, its spans in two requests. */
function twoParts(searches: number) {
  const calls = Array.from(
    { length: searches },
    (_, at) => ({ kind: 'tool', name: `search_${at}`, from: 10 * at, to: 10 * at + 5 }) as const,
  )
  const { traceId, body } = traceOf([{ kind: 'agent', name: 'lead', from: 0, to: 900, calls }])
  const whole = JSON.parse(body) as { resourceSpans: [{ resource: object; scopeSpans: [{ scope: object; spans: object[] }] }] }
  const [{ resource, scopeSpans }] = whole.resourceSpans
  const part = (spans: object[]) => JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ ...scopeSpans[0], spans }] }] })
  const { spans } = scopeSpans[0]
  const half = Math.floor(spans.length / 2)
  return { traceId, first: part(spans.slice(0, half)), second: part(spans.slice(half)), half, all: spans.length }
}

const steps = (page: Page) => page.getByRole('tree', { name: 'Run outline' }).getByRole('treeitem')
const lastRefusal = (page: Page, text: RegExp) => page.getByRole('status', { name: 'Requests so far' }).filter({ hasText: text }).waitFor()

describe('the link to the collector', () => {
  it('comes back by itself after the collector was killed, with nothing lost and nothing doubled', async () => {
    await start()
    const { traceId, first, second, half, all } = twoParts(11)
    expect(await send(first)).toBe(200)
    const page = await open(`/run/${traceId}`)
    await expect.poll(() => steps(page).count()).toBe(half)
    const { port } = new URL(collector.url)
    collector.program.child.kill('SIGKILL')
    await collector.program.exited
    await page.getByText(/^Offline/).waitFor()
    await start(folder, port)
    expect(await send(second)).toBe(200)
    await expect.poll(() => steps(page).count(), { timeout: 20_000 }).toBe(all)
    await page.getByText('Live', { exact: true }).waitFor()
    const names = await steps(page).evaluateAll((rows) => rows.map((row) => /lead|search_\d+/.exec(row.textContent ?? '')?.[0]))
    expect([...new Set(names)]).toHaveLength(all)
    const seqs = (await collector.events(traceId)).map(({ seq }) => seq)
    expect(new Set(seqs).size).toBe(seqs.length)
  })

  it('says that it catches up while history arrives, and that the collector became another version', async () => {
    await start()
    const { traceId, first } = twoParts(11)
    expect(await send(first)).toBe(200)
    const page = await open('/')
    // The real collector, one word of whose answers is held back or changed on the way.
    let replayEnd: (() => void) | undefined
    let version: string | undefined
    let cut: (() => void) | undefined
    await page.routeWebSocket(/\/ws\/ui$/, (socket) => {
      const server = socket.connectToServer()
      cut = () => void socket.close()
      server.onMessage((message) => {
        const text = String(message)
        if (text.startsWith('{"type":"replay.end"') && version === undefined) replayEnd = () => socket.send(text)
        else socket.send(text.startsWith('{"type":"welcome"') && version !== undefined ? text.replace(/"server":"[^"]*"/, version) : text)
      })
    })
    await page.goto(`${collector.url}/run/${traceId}`)
    await page.getByText(/^Catching up \d+\/\d+$/).waitFor()
    await eventually(async () => replayEnd, 'the end of the history')
    replayEnd?.()
    await page.getByText('Live', { exact: true }).waitFor()
    version = '"server":"99.1.0"'
    cut?.()
    await page.getByText(/The collector is now version 99\.1\.0; this page is of version \d/).waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
  })
})

describe('a part that does not load', () => {
  it('costs only itself: the others go on, and it can be loaded again', async () => {
    await start()
    const { traceId, first } = twoParts(5)
    expect(await send(first)).toBe(200)
    const page = await open('/')
    // A collector of another version no longer has the files of this page.
    await page.route(/\/assets\/(timeline|layout-worker)-.*\.js$/, (route) => route.abort())
    await page.goto(`${collector.url}/run/${traceId}?view=both`)
    await page.getByRole('alert').filter({ hasText: 'The timeline panel crashed. The rest works on.' }).waitFor()
    await page.getByRole('button', { name: 'Copy report' }).waitFor()
    await page.getByText('The layout could not be computed, so the graph is shown as a list.').waitFor()
    await page.getByRole('list', { name: 'Nodes of the graph' }).waitFor()
    await page.getByRole('treeitem', { name: /search_1/ }).click()
    await page.getByRole('heading', { name: 'tool search_1' }).waitFor()
    await page.unroute(/\/assets\/(timeline|layout-worker)-.*\.js$/)
    await page.reload()
    await page.getByRole('treegrid', { name: 'Timeline' }).waitFor()
  })
})

describe('a store that refuses', () => {
  it('is told with its reason and what to do: the file is locked', async () => {
    await start()
    const other = new DatabaseSync(join(folder, 'graphmind.db'))
    other.exec('BEGIN IMMEDIATE')
    try {
      expect(await send(twoParts(3).first)).toBe(503)
      await lastRefusal(await open('/'), /Last refusal: Another program has the database .* locked\. Close it/)
    } finally {
      other.exec('ROLLBACK')
      other.close()
    }
  })

  it('is told on every screen for as long as it does', async () => {
    await start()
    const other = new DatabaseSync(join(folder, 'graphmind.db'))
    other.exec('BEGIN IMMEDIATE')
    const { first } = twoParts(3)
    const told = (page: Page) => page.getByRole('alert').filter({ hasText: /Nothing new is stored\. .* locked\. Close it/ })
    try {
      expect(await send(first)).toBe(503)
      for (const path of ['/', '/breakpoints', '/settings', '/welcome']) await told(await open(path)).waitFor()
    } finally {
      other.exec('ROLLBACK')
      other.close()
    }
    const page = await open('/')
    expect(await send(first)).toBe(200)
    await told(page).waitFor({ state: 'detached' })
  })

  it('is told with its reason and what to do: the file can’t be written', async ({ skip }) => {
    await start()
    // As a file system that became read-only: nothing more can be written, and what is there can be read.
    const mayWrite = (bytes: string) =>
      spawnSync('prlimit', [`--pid=${collector.program.child.pid}`, `--fsize=${bytes}:unlimited`]).status === 0
    const { traceId, first, half } = twoParts(3)
    expect(await send(first)).toBe(200)
    if (!mayWrite('0')) return skip('prlimit is not here (Linux only)')
    expect(await send(twoParts(3).first)).toBe(503)
    const page = await open(`/run/${traceId}`)
    await page
      .getByRole('alert')
      .filter({ hasText: /Nothing new is stored\. The database .* can't be written .*Check its disk and permissions/ })
      .waitFor()
    await expect.poll(() => steps(page).count()).toBe(half)
    expect(mayWrite('unlimited')).toBe(true)
    await eventually(async () => ((await send(twoParts(3).first)) === 200 ? true : undefined), 'the spans to be taken')
  })

  it('is told with its reason and what to do: the disk is full', async ({ skip }) => {
    const disk = mountTmpfs('size=4m')
    if (disk === undefined) {
      await start()
      return skip(NO_TMPFS)
    }
    try {
      await start(disk.folder)
      const { body } = traceOf([{ kind: 'tool', name: 'read', from: 0, to: 5, output: 'many words '.repeat(600_000) }])
      expect(await send(body)).toBe(503)
      await lastRefusal(await open('/'), /Last refusal: The disk of the database .* is full\. Make room/)
    } finally {
      await collector.stop()
      disk.remove()
    }
  })
})

describe('what is no longer kept', () => {
  it('can be read as far as it was, with a word that it is gone, and is explained when it is asked for again', async () => {
    await start()
    const { traceId, first } = twoParts(3)
    expect(await send(first)).toBe(200)
    const page = await open(`/run/${traceId}`)
    await steps(page).first().waitFor()
    const pruned = await fetch(`${collector.url}/api/runs/prune`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ keep: 0 }),
    })
    expect(pruned.status).toBe(200)
    await page.getByText(/no longer has this run: it was deleted or pruned/).waitFor()
    await page.getByRole('treeitem', { name: /lead/ }).click()
    await page.getByRole('heading', { name: 'agent lead' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'This run is not here' }).waitFor()
    await page.getByText(/It may have been deleted or pruned/).waitFor()
  })
})

describe('the states of a call', () => {
  it('shows one as aborted with who did it, and hidden values as hidden', async () => {
    installExample('demo-agent')
    await start()
    const agent = startProgram([join(root, 'examples', 'demo-agent', 'agent.mjs')], {
      env: { GRAPHMIND_URL: collector.ingestUrl, ...WAIT_FOR_ATTACH, DEMO_PACE_MS: '0', GRAPHMIND_HIDE_INPUTS: '1' },
    })
    try {
      const runId = await eventually(async () => (await collector.runs()).find((run) => run.held > 0)?.id, 'a held call')
      const page = await open(`/run/${runId}`)
      await page.getByRole('region', { name: 'Paused' }).waitFor()
      await page.keyboard.press('j')
      await page.getByRole('heading', { name: 'tool convertCurrency' }).waitFor()
      await page
        .getByText(/▮▮ hidden before it left the agent/)
        .first()
        .waitFor()
      await page.keyboard.press('Shift+F8')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Abort run' }).click()
      await agent.exited
      await page.getByRole('status', { name: 'Run status' }).filter({ hasText: 'Aborted' }).waitFor()
      await page.getByRole('treeitem', { name: /convertCurrency.*aborted/i }).waitFor()
      // Also of a call that was never held: hidden, and not as if nobody had recorded it.
      await page.getByRole('treeitem', { name: /^step/ }).first().click()
      const inspector = page.getByRole('region', { name: 'Inspector' })
      await inspector.getByRole('heading', { name: /step/ }).waitFor()
      await inspector
        .getByText(/▮▮ hidden/)
        .first()
        .waitFor()
      expect(await inspector.getByText('No input was recorded').count()).toBe(0)
      expect(viewers[0]?.complaints).toEqual([])
    } finally {
      await agent.stop()
    }
  })
})
