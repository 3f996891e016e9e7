import type { BreakpointMatcher } from '@graphmind-ai/schema'
import type { Page } from 'playwright-core'
import { manySpans, postSpans } from '../bench/otlp-run.mjs'
import { tellBreakpoints } from './breakpoints.ts'
import type { RunningCollector } from './collector.ts'
import { eventually } from './eventually.ts'
import { installExample, startExample, WAIT_FOR_ATTACH } from './examples.ts'
import { sendTrace, traceOf } from './otlp-trace.ts'
import type { Program } from './process.ts'
import { sendSampleRuns } from './sample-runs.ts'
import { BRIEF, CATALOGUE, CLAIM, CONTRACTS, earlierRuns, GUIDE, type LongRun, scout } from './screen-samples.ts'

/** The collectors that screens are shown from: one that has heard nothing, and one with runs of all sorts. */
export interface Stage {
  readonly empty: RunningCollector
  readonly full: RunningCollector
  /** Ids of the runs of `full`, by what they are good for. */
  readonly runs: Readonly<Record<RunOfStage, string>>
  /** They are held, and end when they are stopped or `full` is. */
  readonly agents: readonly Program[]
}

export type RunOfStage = 'agents' | 'calls5' | 'calls500' | 'calls10000' | 'imported' | 'held' | 'waiting' | 'after' | 'first' | 'second'

export interface Screen {
  readonly name: string
  /** What one sees, as the documents say it. */
  readonly shows: string
  /** Opens it, ready to be looked at, in a page that may show anything. */
  readonly open: (page: Page, stage: Stage) => Promise<unknown>
  /** Leads to it where the parts of a run stand behind tabs, for its picture. */
  readonly narrow?: (page: Page) => Promise<unknown>
}

/** The next run that comes, once it is held, at these breakpoints or, without any, at its failure. */
async function heldRun({ url, runs }: RunningCollector, breakpoints: readonly BreakpointMatcher[], start: () => unknown): Promise<string> {
  await tellBreakpoints(url, 'breakpoint.set', breakpoints)
  const known = new Set((await runs()).map(({ id }) => id))
  await start()
  const id = await eventually(async () => (await runs()).find((run) => !known.has(run.id) && run.held > 0)?.id, 'a held call')
  await tellBreakpoints(url, 'breakpoint.clear', breakpoints)
  return id
}

async function sendLong(url: string, { calls, ...look }: LongRun): Promise<string> {
  const { traceId, spans } = manySpans(calls, look)
  await postSpans(url, spans, look.name)
  return traceId
}

/** Fills the stage. */
export async function setStage(empty: RunningCollector, full: RunningCollector): Promise<Stage> {
  // It stops everything here for a while, long enough for the collector to close a connection that idles.
  installExample('demo-agent')
  await sendSampleRuns(full.url, earlierRuns(Date.now()))
  const { traceId: imported, body } = traceOf(CLAIM)
  await fetch(`${full.url}/api/import`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const demo = () => fetch(`${full.url}/api/demo/start`, { method: 'POST' })
  const agents: Program[] = []
  const env = { GRAPHMIND_URL: full.ingestUrl, ...WAIT_FOR_ATTACH, DEMO_PACE_MS: '0' }
  const agent = () => agents.push(startExample('demo-agent', env))
  const runs = {
    agents: await sendTrace(full.url, GUIDE),
    calls5: await sendLong(full.url, BRIEF),
    calls500: await sendLong(full.url, CONTRACTS),
    calls10000: await sendLong(full.url, CATALOGUE),
    first: await sendTrace(full.url, scout('Lisbon', false)),
    second: await sendTrace(full.url, scout('Oslo', true)),
    imported,
    held: await heldRun(full, [], demo),
    waiting: await heldRun(full, [{ kind: 'tool', point: 'before' }], agent),
    after: await heldRun(full, [{ kind: 'llm', point: 'after' }], demo),
  }
  return { empty, full, runs, agents }
}

const paused = (page: Page) => page.getByRole('region', { name: 'Paused' }).waitFor()
const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** A run of the stage, once it is drawn. */
async function openRun(page: Page, { full, runs }: Stage, key: RunOfStage, query = ''): Promise<void> {
  await page.goto(`${full.url}/run/${runs[key]}${query}`)
  const marks = 'performance.getEntriesByName("gm:run-shown").length'
  await eventually(async () => (Number(await page.evaluate(marks)) > 0 ? true : undefined), 'the run to be drawn')
}

/** A held run of the stage with its held call selected. */
async function openHeld(page: Page, stage: Stage, key: RunOfStage, query: string): Promise<void> {
  await openRun(page, stage, key, query)
  await paused(page)
  await press(page, 'j')
  await inspector(page)
    .getByText(/^Paused/)
    .first()
    .waitFor()
}

const TABS = {
  input: 'What a call was given',
  output: 'What it gave back',
  diff: 'What differs from the time before',
  events: 'What happened to the call, and when',
  raw: 'All that is known of the call, and its span as it was sent',
}

/** Every screen of the viewer, each in the state in which there is most to see. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'first-run',
    shows: 'Before anything has run: how to connect an agent, and a demo at one press',
    open: async (page, { empty }) => {
      await page.goto(empty.url)
      await page.getByRole('status', { name: 'Requests so far' }).waitFor()
    },
  },
  {
    name: 'runs',
    shows: 'All runs, those that wait marked',
    open: async (page, { full }) => {
      await page.goto(full.url)
      await page.getByRole('row').nth(5).waitFor()
    },
  },
  {
    name: 'search',
    shows: 'Search in what went through the calls of all runs',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/?view=search&find=Lisbon`)
      await page.locator('mark').first().waitFor()
    },
  },
  {
    name: 'conversations',
    shows: 'Runs that belong together',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/?view=conversations`)
      await page.getByRole('link', { name: 'ticket-4821' }).waitFor()
    },
  },
  { name: 'run-of-5', shows: 'A short run, as graph and timeline', open: (page, stage) => openRun(page, stage, 'calls5', '?view=both') },
  { name: 'run-of-500', shows: 'The graph of a run of 500 calls', open: (page, stage) => openRun(page, stage, 'calls500', '?view=graph') },
  {
    name: 'run-of-500-timeline',
    shows: 'The timeline of the same run',
    open: (page, stage) => openRun(page, stage, 'calls500', '?view=timeline'),
  },
  {
    name: 'run-of-10000',
    shows: 'Graph and timeline of a run of 10,000 calls',
    open: (page, stage) => openRun(page, stage, 'calls10000', '?view=both'),
  },
  {
    name: 'agents',
    shows: 'Agents that share tools, by call path, with the order of calls',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph&look=paths.order')
      await page.getByRole('button', { name: /^tool fetchPage/ }).waitFor()
    },
  },
  {
    name: 'agents-as-list',
    shows: 'The same graph as a list',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph&look=paths.list')
      await page.getByRole('list', { name: 'Nodes of the graph' }).waitFor()
    },
  },
  {
    name: 'messages',
    shows: 'A model call as a conversation',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=timeline&tab=messages')
      await press(page, 'Control+k')
      await page.keyboard.type(':step')
      await page.getByRole('option').first().waitFor()
      await press(page, 'Enter')
      await inspector(page).getByText('A weekend in Oslo').waitFor()
    },
  },
  ...(['input', 'output', 'diff', 'events', 'raw'] as const).map(
    (tab): Screen => ({
      name: `tab-${tab}`,
      shows: TABS[tab],
      open: async (page, stage) => {
        await openRun(page, stage, 'agents', '?view=timeline&find=search')
        await press(page, 'Control+k')
        await page.keyboard.type(':search')
        await page.getByRole('option').nth(2).waitFor()
        await press(page, 'ArrowDown', 'ArrowDown', 'Enter')
        await inspector(page)
          .getByRole('heading', { name: /search/ })
          .waitFor()
        await inspector(page)
          .getByRole('tab', { name: new RegExp(tab, 'i') })
          .click()
        await inspector(page)
          .getByRole('tab', { name: new RegExp(tab, 'i'), selected: true })
          .waitFor()
      },
    }),
  ),
  {
    name: 'past',
    shows: 'A run as it was at an earlier moment',
    open: async (page, stage) => {
      await openRun(page, stage, 'held', '?view=both&asOf=12')
      await page.getByRole('button', { name: 'Now' }).waitFor()
    },
  },
  { name: 'held', shows: 'A call held at its error', open: (page, stage) => openHeld(page, stage, 'held', '?view=graph&tab=messages') },
  {
    name: 'waiting',
    shows: 'Two calls that wait, before they run',
    open: (page, stage) => openHeld(page, stage, 'waiting', '?view=both&tab=messages'),
  },
  {
    name: 'after',
    shows: 'A model call held with its answer',
    open: (page, stage) => openHeld(page, stage, 'after', '?view=timeline&tab=messages'),
  },
  {
    name: 'inject',
    shows: 'Another value for the held call, not yet whole',
    open: async (page, stage) => {
      await openHeld(page, stage, 'held', '?view=graph&tab=messages')
      await press(page, 'i')
      await page.getByRole('textbox', { name: 'Injected value' }).fill('{"withinBudget": tr')
      await page.getByText(/^Not JSON yet/).waitFor()
    },
  },
  {
    name: 'edit',
    shows: 'An edited input, and what it changes',
    open: async (page, stage) => {
      await openHeld(page, stage, 'waiting', '?view=graph&tab=messages')
      await press(page, 'e')
      await page.locator('[aria-label="Edited input"]:focus').waitFor()
      await press(page, 'Control+a')
      await page.keyboard.insertText('{\n  "from": "VIE",\n  "to": "OPO",\n  "nonstop": true\n}')
      await page.getByText('Changes', { exact: true }).click()
      await page.getByRole('region', { name: 'What changes' }).locator('.cm-content').waitFor()
    },
  },
  {
    name: 'abort',
    shows: 'The question before a run is aborted',
    open: async (page, stage) => {
      await openHeld(page, stage, 'held', '?view=graph&tab=messages')
      await press(page, 'Shift+F8')
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'imported', shows: 'A run that came as a file', open: (page, stage) => openRun(page, stage, 'imported', '?view=graph') },
  {
    name: 'missing',
    shows: 'The address of a run that is not here',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/run/nobody`)
      await page.getByRole('heading', { name: 'This run is not here' }).waitFor()
    },
  },
  {
    name: 'compare',
    shows: 'Two runs side by side, and what differs in one pair',
    open: async (page, { full, runs }) => {
      await page.goto(`${full.url}/compare/${runs.first}/${runs.second}`)
      await page.getByRole('row').filter({ hasText: 'search' }).click()
      await page.getByRole('region', { name: 'Difference' }).getByText('Oslo').first().waitFor()
    },
  },
  {
    name: 'breakpoints',
    shows: 'The page of breakpoints, with a condition that stops in the middle',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/breakpoints`)
      await page.getByRole('button', { name: 'New breakpoint' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('sea*')
      await page.getByRole('textbox', { name: 'When' }).click()
      await page.keyboard.type('input.q ==')
    },
  },
  {
    name: 'condition',
    shows: 'A condition, completed from what the run holds',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph&look=paths')
      await page.getByRole('button', { name: 'New breakpoint' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('sea*')
      await page.getByText('Would have matched 4 of 10 here.').waitFor()
      await page.getByRole('textbox', { name: 'When' }).click()
      await page.keyboard.type('input.')
      await page.getByRole('option', { name: /^q/ }).waitFor()
    },
    narrow: (page) => page.getByRole('tab', { name: 'Outline' }).click(),
  },
  {
    name: 'settings',
    shows: 'The settings',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/settings`)
      await page.getByRole('status', { name: 'Requests so far' }).waitFor()
    },
  },
  {
    name: 'palette',
    shows: 'The palette, which finds commands, runs, nodes and steps',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph')
      await press(page, 'Control+k')
      await page.keyboard.type('sea')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'keys',
    shows: 'All keys',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph')
      await press(page, '?')
      await page.getByRole('dialog', { name: 'All keys' }).waitFor()
    },
  },
]
