import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findingsIn } from '../support/axe.ts'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample, startExample, WAIT_FOR_ATTACH } from '../support/examples.ts'
import type { Program } from '../support/process.ts'
import { reloadSame, sameFacts, settledFacts } from '../support/screen-facts.ts'

let browser: Browser
let collector: RunningCollector
let agents: Program[] = []
let viewers: ViewerPage[] = []

beforeAll(async () => {
  installExample('demo-agent')
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  agents = []
  viewers = []
  collector = await startCollector()
})
afterEach(async () => {
  for (const viewer of viewers) await viewer.close()
  // First the collector: an agent that is still held then goes on and ends by itself.
  await collector.stop()
  for (const agent of agents) await agent.stop()
})

function startAgent(): Program {
  const agent = startExample('demo-agent', { GRAPHMIND_URL: collector.ingestUrl, ...WAIT_FOR_ATTACH, DEMO_PACE_MS: '0' })
  agents.push(agent)
  return agent
}

async function open(path: string, theme: 'light' | 'dark' = 'light'): Promise<Page> {
  const viewer = await openViewer(browser, `${collector.url}${path}`, theme)
  viewers.push(viewer)
  return viewer.page
}

const paused = (page: Page) => page.getByRole('region', { name: 'Paused' })
const status = (page: Page, text: RegExp) => page.getByRole('status', { name: 'Run status' }).filter({ hasText: text }).waitFor()
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** The id of the only run once its failing tool is held. */
function heldRun(): Promise<string> {
  return eventually(async () => (await collector.runs()).find((run) => run.held > 0)?.id, 'a held call')
}

describe('the workbench', () => {
  it('takes a run from its hold to its end by keyboard alone', async () => {
    const page = await open('/')
    const agent = startAgent()
    await paused(page).filter({ hasText: 'convertCurrency' }).waitFor()
    await press(page, 'j', '3')
    await page.getByRole('heading', { name: 'tool convertCurrency' }).waitFor()
    await page.getByRole('treegrid', { name: 'Timeline' }).waitFor()
    await press(page, 'i')
    const editor = page.getByRole('textbox', { name: 'Injected value' })
    await editor.waitFor()
    await page.locator('[aria-label="Injected value"]:focus').waitFor()
    await press(page, 'Control+a')
    await page.keyboard.insertText('{"amount": 4242, "currency": "EUR"}')
    await press(page, 'Control+Enter')
    expect(await agent.exited, agent.output()).toBe(0)
    expect(agent.output()).toContain('4242')
    await status(page, /finished/i)
    expect(viewers[0]?.complaints).toEqual([])
  })

  it('shows the same screen after a reload at each moment', async () => {
    const agent = startAgent()
    const page = await open(`/run/${await heldRun()}?view=both`)
    await paused(page).waitFor()
    await page.getByRole('button', { name: /tool convertCurrency.*paused/ }).waitFor()
    await page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row').nth(3).waitFor()
    await reloadSame(page, 'while a call is held')
    await press(page, 'j')
    await page.getByRole('heading', { name: 'tool convertCurrency' }).waitFor()
    await reloadSame(page, 'with the held call selected')
    await press(page, ',', ',', ',')
    await page.getByRole('button', { name: 'Now' }).waitFor()
    await reloadSame(page, 'in the past')
    await press(page, 'Escape')
    await paused(page).waitFor()
    await press(page, 'i')
    const editor = page.getByRole('textbox', { name: 'Injected value' })
    await editor.fill('{"amount": 7}')
    await page.reload()
    await paused(page).waitFor()
    await editor.waitFor()
    expect(await editor.textContent()).toContain('"amount": 7')
    await press(page, 'Control+Enter')
    expect(await agent.exited, agent.output()).toBe(0)
    await status(page, /finished/i)
    await reloadSame(page, 'when the run is over')
    expect(viewers[0]?.complaints).toEqual([])
  })

  it('gives a viewer that comes late the same picture as one that was there from the start', async () => {
    const early = await open('/')
    startAgent()
    const runId = await heldRun()
    // The first run opens by itself.
    await early.getByRole('heading', { name: 'trip-planner', level: 1 }).waitFor()
    await press(early, '3')
    await early.getByRole('button', { name: /tool convertCurrency.*paused/ }).waitFor()
    await early.getByRole('treegrid', { name: 'Timeline' }).getByRole('row').nth(3).waitFor()
    const late = await open(`/run/${runId}?view=both`)
    await sameFacts(late, await settledFacts(early, 'for the early viewer'), 'for the late viewer')
    expect(viewers.map((viewer) => viewer.complaints)).toEqual([[], []])
  })

  it('lets two viewers act at once without a lost or doubled command', async () => {
    const one = await open('/breakpoints')
    await one.getByRole('switch', { name: 'Break before any tool' }).click()
    const agent = startAgent()
    const runId = await heldRun()
    const two = await open(`/run/${runId}`)
    await one.getByRole('link', { name: 'Runs' }).click()
    await one.getByRole('link', { name: /trip-planner/ }).click()
    const released = async () => {
      const events = await collector.events(runId)
      const of = (type: string) =>
        events.filter((event) => event.type === type).map((event) => (event.payload as { pauseId: string }).pauseId)
      return { held: of('exec.paused'), let: of('exec.resumed') }
    }
    // Each hold is answered by both at the same moment, until the agent is done.
    let over = false
    const ended = agent.exited.then((code) => {
      over = true
      return code
    })
    while (!over) {
      const waiting = [one, two].map((page) =>
        paused(page)
          .waitFor({ timeout: 2000 })
          .catch(() => undefined),
      )
      await Promise.race([ended, Promise.all(waiting)])
      if (!over) await Promise.all([press(one, 'c'), press(two, 'c')])
    }
    expect(await ended, agent.output()).toBe(0)
    for (const page of [one, two]) await status(page, /finished/i)
    const { held, let: let_ } = await released()
    expect(held.length).toBeGreaterThanOrEqual(3)
    expect([...let_].sort()).toEqual([...held].sort())
    expect(viewers.map((viewer) => viewer.complaints)).toEqual([[], []])
  })
})

describe('accessibility', () => {
  it.each(['light', 'dark'] as const)('has nothing to complain of on any screen (%s)', async (theme) => {
    const page = await open('/', theme)
    const clean = async (what: string) => expect(await findingsIn(page, theme), what).toEqual([])
    await page.getByRole('heading', { name: 'Nothing has run yet' }).waitFor()
    await clean('the first-run page')
    await page.getByRole('link', { name: 'Breakpoints' }).click()
    await page.getByRole('button', { name: 'New breakpoint' }).click()
    await page.getByRole('textbox', { name: 'When' }).click()
    await page.keyboard.type('input.')
    await clean('the breakpoints page with its editor and an unfinished condition')
    await page.getByRole('button', { name: /Cancel/ }).click()
    startAgent()
    const runId = await heldRun()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('link', { name: /trip-planner/ }).waitFor()
    await clean('the runs')
    await page.getByRole('link', { name: /trip-planner/ }).click()
    await page.getByRole('button', { name: /tool convertCurrency.*paused/ }).waitFor()
    await press(page, 'j', 'a', 'w')
    await clean('a held call in the graph, with the order of calls')
    await press(page, 'a', 'w')
    await page.getByRole('treeitem', { name: /^step/ }).click()
    await page.getByRole('radio', { name: 'Markdown' }).check({ force: true })
    await clean('a model call, its texts as Markdown')
    await press(page, '2')
    await page.getByRole('treegrid', { name: 'Timeline' }).waitFor()
    await clean('the timeline')
    await press(page, 'Shift+L', '3')
    await page.getByRole('list', { name: 'Nodes of the graph' }).waitFor()
    await clean('the graph as a list, over the timeline')
    await press(page, 'Shift+L', 'i')
    await page.getByRole('textbox', { name: 'Injected value' }).waitFor()
    await clean('the inject editor')
    await press(page, 'Escape')
    await page.goto(`${collector.url}/run/${runId}?asOf=3`)
    await page.getByRole('button', { name: 'Now' }).waitFor()
    await clean('the past')
    await press(page, 'Escape', '?')
    await page.getByRole('dialog', { name: 'All keys' }).waitFor()
    await clean('the help sheet')
    await press(page, 'Escape', 'Control+k')
    await page.getByRole('combobox').waitFor()
    await clean('the palette')
    await press(page, 'Escape', 'Shift+B')
    await page.getByText(/muted for every viewer/).waitFor()
    await clean('the banner of muted breakpoints')
  })
})
