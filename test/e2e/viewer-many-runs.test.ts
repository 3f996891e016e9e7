import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findingsIn } from '../support/axe.ts'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { sendTrace, traceOf } from '../support/otlp-trace.ts'
import { planner } from '../support/planner-trace.ts'

let browser: Browser
let collector: RunningCollector
let viewers: ViewerPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  viewers = []
  collector = await startCollector()
})
afterEach(async () => {
  for (const viewer of viewers) await viewer.close()
  await collector.stop()
})

async function open(path: string, theme: 'light' | 'dark' = 'light'): Promise<Page> {
  const viewer = await openViewer(browser, `${collector.url}${path}`, theme)
  viewers.push(viewer)
  return viewer.page
}

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const noComplaints = () => expect(viewers.flatMap(({ complaints }) => complaints)).toEqual([])

async function twoRuns(): Promise<{ readonly first: string; readonly second: string }> {
  const first = await sendTrace(collector.url, planner('first-planner', 'Lisbon', false))
  return { first, second: await sendTrace(collector.url, planner('second-planner', 'Oslo', true)) }
}

/** Drops a file on the page, as from the desktop. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const file = `new File([${JSON.stringify(text)}], ${JSON.stringify(name)})`
  const dataTransfer = await page.evaluateHandle(`(() => { const data = new DataTransfer(); data.items.add(${file}); return data })()`)
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await page.getByText('Drop trace files to import them').waitFor()
  await page.dispatchEvent('body', 'drop', { dataTransfer })
}

describe('two runs side by side', () => {
  it('are chosen, looked through and swapped by keyboard alone', async () => {
    const { first, second } = await twoRuns()
    const page = await open(`/run/${first}`)
    await page.getByRole('button', { name: /^tool search/ }).waitFor()
    await press(page, 'v')
    await page.getByRole('combobox', { name: 'Compare with which run?' }).waitFor()
    await page.keyboard.type('second')
    await page.getByRole('option', { name: /second-planner/ }).waitFor()
    await press(page, 'Enter')
    const rows = page.getByRole('treegrid', { name: 'Steps of both runs' }).getByRole('row')
    await rows.filter({ hasText: 'clock' }).filter({ hasText: 'Same' }).waitFor()
    await rows.filter({ hasText: 'book' }).filter({ hasText: 'Only right' }).waitFor()
    await press(page, 'd')
    await rows.filter({ hasText: 'clock' }).waitFor({ state: 'detached' })
    await page.getByRole('treegrid').focus()
    await press(page, 'End', 'ArrowUp', 'Enter')
    const difference = page.getByRole('region', { name: 'Difference' })
    await difference.getByText('Lisbon').first().waitFor()
    await difference.getByText('Oslo').first().waitFor()
    await page.reload()
    await difference.getByText('Oslo').first().waitFor()
    await press(page, 'Shift+V')
    await rows.filter({ hasText: 'book' }).filter({ hasText: 'Only left' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/compare/${second}/${first}`)
    await difference.waitFor()
    await press(page, 'Escape')
    await difference.waitFor({ state: 'detached' })
    noComplaints()
  })

  it('are compared as well when both came as files', async () => {
    const importRun = async (name: string, city: string, books: boolean) => {
      const { traceId, body } = traceOf(planner(name, city, books))
      const answer = await fetch(`${collector.url}/api/import`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      expect(answer.ok, await answer.text()).toBe(true)
      return traceId
    }
    const first = await importRun('first-planner', 'Lisbon', false)
    const second = await importRun('second-planner', 'Oslo', true)
    const page = await open(`/compare/${first}/${second}`)
    const rows = page.getByRole('treegrid', { name: 'Steps of both runs' }).getByRole('row')
    await rows.filter({ hasText: 'clock' }).filter({ hasText: 'Same' }).waitFor()
    await rows.filter({ hasText: 'book' }).filter({ hasText: 'Only right' }).waitFor()
    await rows.filter({ hasText: 'search' }).click()
    const difference = page.getByRole('region', { name: 'Difference' })
    await difference.getByText('Lisbon').first().waitFor()
    await difference.getByText('Oslo').first().waitFor()
    noComplaints()
  })

  it('says which one is not there', async () => {
    const { first } = await twoRuns()
    const page = await open(`/compare/${first}/${'f'.repeat(32)}`)
    await page
      .getByRole('alert')
      .filter({ hasText: 'f'.repeat(32) })
      .waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })
})

describe('files', () => {
  it('that are dropped on the page show up as runs, and what is no trace is refused with the reason', async () => {
    const page = await open('/')
    const { traceId, body } = traceOf(planner('dropped-planner', 'Rome', true))
    await page.getByRole('heading', { name: 'Nothing has run yet' }).waitFor()
    await drop(page, 'trip.json', body)
    const imported = page.getByRole('region', { name: 'Imported files' })
    await imported.getByRole('link', { name: 'dropped-planner' }).waitFor()
    await drop(page, 'page.html', '<html>')
    await imported.getByRole('alert').filter({ hasText: 'Known formats: OTLP' }).waitFor()
    await drop(page, 'cut.jsonl', `${traceOf(planner('half-planner', 'Oslo', true)).body}\n{"resourceSpans": [`)
    await imported.getByRole('link', { name: 'half-planner' }).waitFor()
    await imported.getByText(/^Line 2: /).waitFor()
    await imported.getByRole('link', { name: 'dropped-planner' }).click()
    await page.waitForURL(`**/run/${traceId}`)
    await page.getByText('Imported: read and compare.').waitFor()
    noComplaints()
  })

  it('that are saved from a run hold the spans it was made of', async () => {
    const { second } = await twoRuns()
    const page = await open(`/run/${second}`)
    await page.getByRole('button', { name: 'Save or share' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /OTLP as JSON/ }).click()])
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'))
    const names = saved.resourceSpans.flatMap((resource: { scopeSpans: { spans: { name: string }[] }[] }) =>
      resource.scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)),
    )
    expect(names.sort()).toEqual(['book', 'clock', 'search', 'second-planner'])
    await page.getByRole('status', { name: 'What was done' }).filter({ hasText: 'The run was saved' }).waitFor()
    await page.getByRole('button', { name: 'Save or share' }).click()
    const [html] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /HTML page/ }).click()])
    expect(html.suggestedFilename()).toMatch(/\.html$/)
    const folder = mkdtempSync(join(tmpdir(), 'graphmind-saved-'))
    try {
      await html.saveAs(join(folder, 'run.html'))
      const recorded = await page.context().newPage()
      await recorded.goto(pathToFileURL(join(folder, 'run.html')).href)
      await recorded.getByRole('heading', { name: 'second-planner', level: 1 }).waitFor()
      await recorded.getByText('A recorded run, written').waitFor()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    noComplaints()
  })
})

describe('settings', () => {
  it('hold after a reload, before anything is drawn', async () => {
    const page = await open('/settings')
    for (const name of ['Dark', 'Compact', 'None']) await page.getByText(name, { exact: true }).click()
    await page.reload()
    await page.getByRole('radio', { name: 'Compact' }).waitFor({ state: 'attached' })
    expect(await page.evaluate('({ ...document.documentElement.dataset })')).toEqual({
      theme: 'dark',
      density: 'compact',
      motion: 'reduced',
    })
    for (const name of ['Dark', 'Compact', 'None']) expect(await page.getByRole('radio', { name, exact: true }).isChecked()).toBe(true)
    noComplaints()
  })
})

describe('accessibility', () => {
  it.each(['light', 'dark'] as const)('has nothing to complain of where runs are compared, brought in and set up (%s)', async (theme) => {
    const { first, second } = await twoRuns()
    const page = await open(`/compare/${first}/${second}`, theme)
    const clean = async (what: string) => expect(await findingsIn(page, theme), what).toEqual([])
    await page.getByRole('row').filter({ hasText: 'search' }).click()
    await page.getByRole('region', { name: 'Difference' }).getByText('Oslo').first().waitFor()
    await clean('a comparison with a difference open')
    await page.setViewportSize({ width: 390, height: 844 })
    await clean('the same on a phone')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${collector.url}/settings`)
    await page.getByRole('status', { name: 'Requests so far' }).waitFor()
    await drop(page, 'page.html', '<html>')
    await page.getByRole('region', { name: 'Imported files' }).getByRole('alert').waitFor()
    await clean('the settings with a refused file')
    await page.goto(`${collector.url}/run/${first}`)
    await page.getByRole('button', { name: 'Save or share' }).click()
    await page.getByRole('menuitem').first().waitFor()
    await clean('the menu to save a run')
  })
})
