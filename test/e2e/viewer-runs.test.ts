import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findingsIn } from '../support/axe.ts'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { type SampleRun, sampleRunId, sendSampleRuns } from '../support/sample-runs.ts'

const MINUTE = 60_000
const NOW = Date.now()
const RUNS: readonly SampleRun[] = Array.from({ length: 60 }, (_, at) => ({
  name: `agent-${at}`,
  startMs: NOW - (at + 1) * MINUTE,
  tokens: 1000 + at * 100,
  question: at === 7 ? 'a seat to Reykjavik' : 'flights to Paris Orly',
  ...(at % 10 === 3 ? { error: 'rate is not a number' } : {}),
  ...(at < 3 ? { session: 'chat-1' } : {}),
}))
const WEB: readonly SampleRun[] = [1, 2].map((at) => ({ name: 'GET /health', startMs: NOW - at * 1000, isWeb: true }))

let browser: Browser
let collector: RunningCollector
let viewers: ViewerPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  collector = await startCollector()
  await sendSampleRuns(collector.url, [...RUNS, ...WEB])
  await eventually(async () => {
    const runs = await collector.runs()
    return runs.length === RUNS.length + WEB.length && runs.every((run) => run.waitingSpans === undefined) ? true : undefined
  }, 'all runs to be read')
})
afterEach(async () => {
  for (const viewer of viewers) await viewer.close()
  viewers = []
})
afterAll(async () => {
  await collector.stop()
  await browser.close()
})

async function open(path: string, theme: 'light' | 'dark' = 'light'): Promise<Page> {
  const viewer = await openViewer(browser, `${collector.url}${path}`, theme)
  viewers.push(viewer)
  return viewer.page
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const focused = (page: Page, name: string) =>
  page
    .locator('a:focus')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .waitFor()
const shown = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor()
const filterField = (page: Page) => page.getByRole('combobox', { name: 'Filter the runs' })
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

describe('the runs list', () => {
  it('is filtered and sorted by keyboard, and the address brings the same rows back', async () => {
    const page = await open('/')
    await row(page, 'agent-0').waitFor()
    await page.getByText('Show other traffic (2 hidden)').waitFor()
    await press(page, '/')
    await page.keyboard.type('err')
    await page.getByRole('option', { name: /^error:/ }).waitFor()
    await press(page, 'ArrowDown', 'Enter')
    await page.keyboard.type('true')
    await press(page, 'Enter')
    await shown(page, /^6 runs · 54 hidden by the filter$/)
    await page.getByRole('button', { name: 'Tokens' }).focus()
    await press(page, 'Enter')
    await page.getByRole('columnheader', { name: 'Tokens' }).and(page.locator('[aria-sort="descending"]')).waitFor()
    const names = () => page.locator('a[data-row]').allTextContents()
    const wanted = [53, 43, 33, 23, 13, 3].map((at) => `agent-${at}`)
    await eventually(async () => (String(await names()) === String(wanted) ? true : undefined), 'the most tokens first')
    await page.waitForURL(/q=error%3Atrue&sort=-tokens$/)
    await page.reload()
    await row(page, 'agent-53').waitFor()
    expect(await names()).toEqual(wanted)
    expect(await filterField(page).inputValue()).toBe('error:true')
    expect(viewers[0]?.complaints).toEqual([])
  })

  it('says what is wrong in a filter, and how to get the hidden runs back', async () => {
    const page = await open('/')
    await row(page, 'agent-0').waitFor()
    await filterField(page).fill('cost:>much ')
    await shown(page, /cost: takes a number/)
    // What can't be read hides nothing.
    await row(page, 'agent-0').waitFor()
    await filterField(page).fill('name:nobody')
    await page.getByRole('button', { name: 'Clear filter · 60 hidden' }).click()
    await row(page, 'agent-0').waitFor()
    await page.getByRole('checkbox', { name: /Show other traffic/ }).click()
    await row(page, 'GET /health').first().waitFor()
  })

  it('pins, renames, tags, deletes and brings back by keyboard, and every viewer sees it', async () => {
    const page = await open('/')
    const other = await open('/')
    await row(other, 'agent-0').waitFor()
    await row(page, 'agent-0').waitFor()
    await press(page, 'ArrowDown', 'ArrowDown')
    await focused(page, 'agent-1')
    await press(page, 'Shift+P')
    await row(other, 'agent-1').getByText('Pinned').waitFor()
    await press(page, 'Shift+T')
    await page.getByRole('combobox', { name: /^Tags/ }).waitFor()
    await page.keyboard.type('slow, wrong rate')
    await press(page, 'Enter')
    await row(other, 'agent-1').getByText('wrong rate').waitFor()
    await focused(page, 'agent-1')
    await press(page, 'F2')
    await page.getByRole('textbox', { name: 'Name of the run' }).waitFor()
    await page.keyboard.type('Lisbon')
    await press(page, 'Enter')
    await row(other, 'Lisbon').waitFor()
    await focused(page, 'Lisbon')
    await press(page, 'Delete')
    await row(other, 'Lisbon').waitFor({ state: 'detached' })
    await shown(page, /Deleted Lisbon/)
    await focused(page, 'agent-2')
    await press(page, 'Control+z')
    await row(other, 'Lisbon').waitFor()
    await row(page, 'Lisbon').waitFor()
    expect(viewers.map((viewer) => viewer.complaints)).toEqual([[], []])
  })

  it('lets new runs wait while the reader is further down, and compares two that are selected', async () => {
    const page = await open('/')
    await row(page, 'agent-0').waitFor()
    await press(page, 'End')
    await focused(page, 'agent-59')
    const late: SampleRun = { name: 'late-agent', startMs: Date.now() - 1000, lengthMs: 500 }
    await sendSampleRuns(collector.url, [late])
    await page.getByRole('button', { name: '1 new run ↑' }).click()
    await row(page, 'late-agent').waitFor()
    await press(page, 'Home', 'Space', 'ArrowDown', 'Space')
    await page.getByText('2 runs selected').waitFor()
    await press(page, 'v')
    await page.waitForURL(`**/compare/*/${sampleRunId(late)}`)
  })

  it('finds what went through a call, and leads to it by keyboard', async () => {
    const page = await open('/')
    await row(page, 'agent-0').waitFor()
    await press(page, 'g', 'f')
    const field = page.getByRole('searchbox', { name: /Search in what went through/ })
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('reykja')
    await page.locator('mark').filter({ hasText: 'Reykja' }).first().waitFor()
    const outputs = page.getByRole('link', { name: /find_flights output/ }).first()
    await outputs.waitFor()
    await page.getByText('Inputs', { exact: true }).click()
    // The hits of before stay until the new ones are there, and take the focus with them when they go.
    await outputs.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /find_flights input/ }).waitFor()
    await field.focus()
    await press(page, 'ArrowDown')
    await page.locator('a[data-row]:focus').waitFor()
    await press(page, 'Enter')
    await page.waitForURL(/\/run\/[^?]+\?instance=[^&]+&tab=input/)
    await page.getByRole('region', { name: 'Inspector' }).getByText('Reykjavik').first().waitFor()
  })

  it('lists conversations, and the open run leads to its neighbours', async () => {
    const page = await open('/?view=conversations')
    await page.getByRole('link', { name: 'chat-1' }).waitFor()
    await press(page, 'ArrowDown', 'Enter')
    await shown(page, /^3 runs/)
    await page.getByRole('link', { name: 'agent-2', exact: true }).click()
    await page.getByRole('link', { name: '1 of 3' }).waitFor()
    await page.getByRole('link', { name: /^Next run in this conversation/ }).click()
    await page.getByRole('link', { name: '2 of 3' }).waitFor()
  })

  it.each(['light', 'dark'] as const)('has no accessibility findings in %s', async (theme) => {
    const page = await open('/', theme)
    const judged = async (screen: string) => expect(await findingsIn(page, theme), screen).toEqual([])
    await row(page, 'agent-0').waitFor()
    await judged('list')
    await press(page, 'ArrowDown', 'Space')
    await page.getByText('1 run selected').waitFor()
    await judged('selected')
    await press(page, 'Shift+T')
    await page.getByRole('dialog').waitFor()
    await judged('tags and note')
    await press(page, 'Escape')
    await row(page, 'agent-0').getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menu').waitFor()
    await judged('menu')
    await press(page, 'Escape')
    await filterField(page).fill('state:r')
    await filterField(page).press('End')
    await page.getByRole('option', { name: /running/ }).waitFor()
    await judged('completion')
    await filterField(page).fill('cost:>much ')
    await shown(page, /cost: takes a number/)
    await judged('wrong filter')
    await page.setViewportSize({ width: 390, height: 844 })
    await row(page, 'agent-0').waitFor()
    await judged('narrow')
    await page.goto(`${collector.url}/?view=search&find=Orly`)
    await page.locator('mark').first().waitFor()
    await judged('search')
    await page.goto(`${collector.url}/?view=conversations`)
    await page.getByRole('link', { name: 'chat-1' }).waitFor()
    await judged('conversations')
    await page.goto(`${collector.url}/?q=name:nobody`)
    await page.getByText('No run meets').waitFor()
    await judged('nothing found')
  })
})
