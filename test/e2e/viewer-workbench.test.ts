import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findingsIn } from '../support/axe.ts'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample, startExample, WAIT_FOR_ATTACH } from '../support/examples.ts'
import type { Program } from '../support/process.ts'

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

/** What a screen says, without the times that go on. */
async function facts(page: Page) {
  const texts = (role: 'treeitem' | 'row', name: string) =>
    page
      .getByRole(role === 'treeitem' ? 'tree' : 'treegrid', { name })
      .getByRole(role)
      .allTextContents()
  const told = {
    status: await page.getByRole('status', { name: 'Run status' }).textContent(),
    outline: await texts('treeitem', 'Run outline'),
    timeline: await texts('row', 'Timeline'),
    nodes: await page
      .getByRole('region', { name: 'Graph' })
      .locator(
        'button[aria-pressed][aria-label^="agent"], button[aria-pressed][aria-label^="tool"], button[aria-pressed][aria-label^="llm"]',
      )
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')).sort()),
    inspector: (await page.getByRole('region', { name: 'Inspector' }).getByRole('heading').allTextContents())[0],
    waits: await paused(page).getByRole('strong').allTextContents(),
    replay: await page.getByRole('slider', { name: 'Replay' }).getAttribute('aria-valuetext'),
  }
  return JSON.parse(JSON.stringify(told).replace(/\d[\d.]*\s?(?:ms|s|min)\b/g, '·')) as typeof told
}

/** Reads the screen until it says the same as before. */
function sameFacts(page: Page, before: Awaited<ReturnType<typeof facts>>, what: string): Promise<true> {
  let last: unknown
  return eventually(
    async () => {
      last = await facts(page)
      return JSON.stringify(last) === JSON.stringify(before) ? (true as const) : undefined
    },
    `the same screen ${what}`,
    8000,
  ).catch(() => {
    expect(last, what).toEqual(before)
    return true as const
  })
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
    const reloaded = async (what: string) => {
      const before = await facts(page)
      await page.reload()
      await sameFacts(page, before, what)
    }
    await paused(page).waitFor()
    await page.getByRole('button', { name: /tool convertCurrency.*paused/ }).waitFor()
    await page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row').nth(3).waitFor()
    await reloaded('while a call is held')
    await press(page, 'j')
    await page.getByRole('heading', { name: 'tool convertCurrency' }).waitFor()
    await reloaded('with the held call selected')
    await press(page, ',', ',', ',')
    await page.getByRole('button', { name: 'Now' }).waitFor()
    await reloaded('in the past')
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
    await reloaded('when the run is over')
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
    await sameFacts(late, await facts(early), 'for the late viewer')
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
