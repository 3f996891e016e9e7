import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { sendTrace } from '../support/otlp-trace.ts'
import { type SampleRun, sampleRunId, sendSampleRuns } from '../support/sample-runs.ts'

const HOUR = 3_600_000
// More than a viewer is told of by itself; all but one are of an hour ago.
const OLD: SampleRun = { name: 'long-ago', startMs: Date.now() - 5 * HOUR }
const RUNS: readonly SampleRun[] = Array.from({ length: 240 }, (_, at) => ({ name: `agent-${at}`, startMs: Date.now() - HOUR + at * 1000 }))

let browser: Browser
let collector: RunningCollector
let first: string
let second: string
let viewers: ViewerPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  collector = await startCollector([], { env: { GRAPHMIND_RETENTION: 'off' } })
  await sendSampleRuns(collector.url, [OLD, ...RUNS])
  first = await sendTrace(collector.url, planner('first-planner', 'Lisbon', 400))
  second = await sendTrace(collector.url, planner('second-planner', 'Oslo', 900))
  await eventually(async () => ((await collector.runs()).some(({ id }) => id === second) ? true : undefined), 'the runs to be read')
})
afterEach(async () => {
  expect(viewers.flatMap(({ complaints }) => complaints)).toEqual([])
  for (const viewer of viewers) await viewer.close()
  viewers = []
})
afterAll(async () => {
  await collector.stop()
  await browser.close()
})

const planner = (name: string, city: string, to: number) =>
  [
    {
      kind: 'agent',
      ...{ name, from: 0, to },
      calls: [
        { kind: 'tool', name: 'clock', from: 10, to: 20, input: { zone: 'UTC' }, output: 12 },
        { kind: 'tool', name: 'search', from: 30, to: to - 100, input: { city }, output: { found: 3 } },
        { kind: 'tool', name: 'search', from: to - 90, to: to - 10, input: { city, page: 2 }, output: { found: 1 } },
      ],
    },
  ] as const

async function open(path: string): Promise<Page> {
  const viewer = await openViewer(browser, path.startsWith('http') ? path : `${collector.url}${path}`)
  viewers.push(viewer)
  return viewer.page
}
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const picture = (page: Page) => page.locator('main').ariaSnapshot()
/** Both pages show the same, to the last word. */
const showSame = async (page: Page, other: Page) => {
  const wanted = await picture(page)
  await expect.poll(() => picture(other)).toBe(wanted)
}

describe('the command palette', () => {
  it('finds nodes after @, steps after :, and any run after #, also one the viewer was not told of', async () => {
    const page = await open(`/run/${first}`)
    await page.getByRole('button', { name: /^tool search/ }).waitFor()
    const found = page.getByRole('listbox', { name: 'Found' }).getByRole('option')
    await press(page, 'Control+k')
    await page.keyboard.type('@search')
    await found.filter({ hasText: 'ran 2×' }).waitFor()
    expect(await found.count()).toBe(1)
    await press(page, 'Enter')
    await page
      .getByRole('region', { name: 'Inspector' })
      .getByRole('heading', { name: /search/ })
      .waitFor()
    await press(page, 'Control+k')
    await page.keyboard.type(':search')
    await expect.poll(() => found.count()).toBe(2)
    await page.getByRole('combobox').fill('#long-ago')
    await found.filter({ hasText: 'long-ago' }).waitFor()
    await press(page, 'Enter')
    await page.waitForURL(`**/run/${sampleRunId(OLD)}`)
  })

  it('lists what can’t be used last, with its reason, and does nothing with it', async () => {
    const page = await open('/settings')
    await page.getByRole('heading', { name: 'Settings' }).first().waitFor()
    await press(page, 'Control+k')
    const options = page.getByRole('listbox', { name: 'Found' }).getByRole('option')
    await options.first().waitFor()
    const disabled = await options.evaluateAll((all) => all.map((option) => option.getAttribute('aria-disabled') === 'true'))
    expect(disabled).toContain(true)
    expect(disabled.toSorted()).toEqual(disabled)
    await page.keyboard.type('jump')
    await options.filter({ hasText: 'Jump to the held call' }).filter({ hasText: 'Nothing waits.' }).waitFor()
    await press(page, 'Enter')
    await page.getByRole('combobox').waitFor()
  })
})

describe('keys', () => {
  it('can be given to another command, stay over a reload, and are shown where the command is', async () => {
    const page = await open('/')
    await page.locator('[data-row]').first().waitFor()
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    await press(page, '?')
    await page.getByRole('button', { name: /^Change the key of Light or dark, now T/ }).click()
    await press(page, 'v')
    await page.getByRole('alert').filter({ hasText: 'V is taken by' }).waitFor()
    await press(page, 'z')
    await page.getByRole('button', { name: /^Change the key of Light or dark, now Z/ }).waitFor()
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('[data-row]').first().waitFor()
    const before = await theme()
    await press(page, 't')
    expect(await theme()).toBe(before)
    await press(page, 'z')
    await expect.poll(theme).not.toBe(before)
    await page.getByRole('button', { name: 'Light or dark' }).and(page.locator('[title*="Z"]')).waitFor()
    await press(page, '?')
    await page.getByRole('button', { name: 'All as they were' }).click()
    await page.getByRole('button', { name: /^Change the key of Light or dark, now T/ }).waitFor()
  })
})

describe('a link', () => {
  it('brings selection, tab, views, look, stretch, search and moment of a run to another browser', async () => {
    const page = await open(`/run/${first}`)
    await page.getByRole('button', { name: /^tool search/ }).click()
    await page.getByRole('tab', { name: 'Input' }).click()
    await press(page, '3', 'a')
    await page.getByRole('button', { name: /^Order/, pressed: true }).waitFor()
    await page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row').first().waitFor()
    await press(page, ',', ',')
    await expect.poll(() => page.url()).toMatch(/asOf=\d+/)
    await press(page, '/')
    await page.keyboard.type('search')
    await page.getByRole('checkbox', { name: 'Only matches' }).check()
    await page.getByRole('button', { name: 'Zoom the timeline in' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('range')).toBe(true)
    expect([...new URL(page.url()).searchParams.keys()].sort()).toEqual([
      'asOf',
      'find',
      'instance',
      'look',
      'only',
      'range',
      'tab',
      'view',
    ])
    await showSame(page, await open(page.url()))
  })

  it('brings filter and order of the list, and what is compared how', async () => {
    const list = await open('/')
    await list.locator('[data-row]').first().waitFor()
    await list.getByRole('combobox', { name: 'Filter the runs' }).fill('planner kind:tool')
    await list.getByRole('button', { name: 'Duration' }).click()
    await list.waitForURL(/sort=-duration/)
    const names = (page: Page) => page.locator('a[data-row]').allTextContents()
    await expect.poll(() => names(list)).toEqual(['second-planner', 'first-planner'])
    const other = await open(list.url())
    await expect.poll(() => names(other)).toEqual(['second-planner', 'first-planner'])
    const page = await open(`/compare/${first}/${second}`)
    const rows = page.getByRole('treegrid', { name: 'Steps of both runs' }).getByRole('row')
    await rows.filter({ hasText: 'clock' }).waitFor()
    const widths = () =>
      rows
        .filter({ hasText: 'planner' })
        .locator('[aria-hidden] > span')
        .evaluateAll((bars) => bars.map((bar) => (bar as { style?: { width: string } }).style?.width))
    const together = await widths()
    await page.getByText('Each its own').click()
    await page.waitForURL(/scale=each/)
    expect(await widths()).not.toEqual(together)
    await page.getByRole('checkbox', { name: 'Only differences' }).check()
    await rows.filter({ hasText: 'clock' }).waitFor({ state: 'detached' })
    await page.getByRole('treegrid').focus()
    await press(page, 'End', 'Enter')
    await page.getByRole('region', { name: 'Difference' }).getByText('Oslo').first().waitFor()
    await showSame(page, await open(page.url()))
  })
})

it('keeps a filter under a name, and has it there after a reload', async () => {
  const page = await open('/?q=name%3Aplanner')
  const filters = page.getByRole('list', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Save filter' }).click()
  await page.getByRole('textbox', { name: 'Name of the filter' }).fill('planners')
  await press(page, 'Enter')
  await filters.getByRole('button', { name: 'planners', exact: true, pressed: true }).click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Filter the runs' }).inputValue()).toBe('')
  await page.reload()
  await filters.getByRole('button', { name: 'planners', exact: true, pressed: false }).click()
  await expect.poll(() => page.locator('a[data-row]').allTextContents()).toEqual(['second-planner', 'first-planner'])
})
