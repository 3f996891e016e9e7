import { type BreakpointMatcher, createEnvelope, WILDCARD_RUN_ID } from '@graphmind-ai/schema'
import type { Page } from 'playwright-core'
import { manySpans, postSpans } from '../bench/otlp-run.mjs'
import type { RunningCollector } from './collector.ts'
import { eventually } from './eventually.ts'
import { installExample, startExample, WAIT_FOR_ATTACH } from './examples.ts'
import { sendTrace, traceOf } from './otlp-trace.ts'
import { planner } from './planner-trace.ts'
import type { Program } from './process.ts'
import { type SampleRun, sendSampleRuns } from './sample-runs.ts'

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
  /** Opens it, ready to be looked at, in a page that may show anything. */
  readonly open: (page: Page, stage: Stage) => Promise<unknown>
}

const MINUTE = 60_000
const TOPICS = ['flights to Paris Orly', 'a quiet hotel in Lisbon', 'trains from Vienna', 'a table for four in Rome']
const NAMES = ['trip-planner', 'support-triage', 'invoice-reader', 'code-review', 'research-notes', 'newsletter']
const MODELS = ['gpt-4o-mini', 'claude-sonnet-4', 'gemini-2.0-flash']

const SAMPLES: readonly SampleRun[] = Array.from({ length: 48 }, (_, at) => ({
  name: NAMES[at % NAMES.length] ?? '',
  startMs: Date.now() - (at + 1) * 7 * MINUTE,
  lengthMs: 900 + ((at * 977) % 40_000),
  model: MODELS[at % MODELS.length] ?? '',
  tokens: 400 + ((at * 7919) % 90_000),
  question: TOPICS[at % TOPICS.length] ?? '',
  ...(at % 4 === 1 ? { costUsd: 0.0004 * (at + 1) } : {}),
  ...(at % 9 === 4 ? { error: 'RateLimitError: 429 from upstream' } : {}),
  ...(at < 4 ? { session: 'chat-7f3a' } : {}),
}))

/** Agents that use the same tools, one of them twice, with a failure and words in both directions. */
const AGENTS = [
  {
    kind: 'agent',
    name: 'lead',
    from: 0,
    to: 19_400,
    calls: [
      {
        kind: 'llm',
        name: 'gpt-4o',
        from: 40,
        to: 2300,
        usage: { input: 1180, output: 96 },
        input: [
          {
            role: 'system',
            parts: [
              { type: 'text', content: 'You plan short trips.\nAsk the finder for facts and the writer for words.\nNever invent prices.' },
            ],
          },
          { role: 'user', parts: [{ type: 'text', content: 'A weekend in Oslo for two, not too dear. What would you do on Saturday?' }] },
        ],
        output: [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: 'Facts first, then the text.' },
              { type: 'tool_call', id: 'call-1', name: 'finder', arguments: { city: 'Oslo', days: 2 } },
            ],
          },
        ],
      },
      {
        kind: 'agent',
        name: 'finder',
        from: 2400,
        to: 9000,
        calls: [
          {
            kind: 'tool',
            name: 'search',
            from: 2500,
            to: 3900,
            input: { q: 'Oslo in May', filter: '{"lang":"en"}' },
            output: [{ title: 'Oslo in May' }],
          },
          { kind: 'tool', name: 'search', from: 4000, to: 5900, input: { q: 'Oslo prices' }, error: 'HTTP 502 from the index' },
          { kind: 'tool', name: 'search', from: 6000, to: 7400, input: { q: 'Oslo prices 2026' }, output: [{ title: 'What Oslo costs' }] },
          {
            kind: 'tool',
            name: 'fetchPage',
            from: 7500,
            to: 8900,
            input: { url: 'https://example.org/oslo' },
            output: 'Ferries leave from Aker Brygge.',
          },
        ],
      },
      {
        kind: 'agent',
        name: 'writer',
        from: 9100,
        to: 19_000,
        calls: [
          { kind: 'tool', name: 'search', from: 9200, to: 9900, input: { q: 'house style' }, output: [] },
          {
            kind: 'llm',
            name: 'gpt-4o',
            from: 10_000,
            to: 18_000,
            usage: { input: 5240, output: 812 },
            input: [{ role: 'user', parts: [{ type: 'text', content: 'Write **a list** of what to do on Saturday.' }] }],
            output: [
              {
                role: 'assistant',
                parts: [{ type: 'text', content: '- The ferry to the islands\n- Vigeland park\n\nThen **dinner** at the harbour.' }],
              },
            ],
          },
        ],
      },
    ],
  },
] as const

/** Sets or clears a breakpoint as a viewer does. */
async function control(url: string, type: 'breakpoint.set' | 'breakpoint.clear', matchers: readonly BreakpointMatcher[]): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/ui`)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  for (const matcher of matchers) {
    const envelope = createEnvelope(type, { matcher }, { runId: WILDCARD_RUN_ID, seq: 0, ts: Date.now() })
    socket.send(JSON.stringify({ type: 'control', envelope }))
  }
  const wanted = type === 'breakpoint.set'
  await eventually(async () => {
    const answer = (await (await fetch(`${url}/api/breakpoints`)).json()) as { readonly breakpoints: readonly BreakpointMatcher[] }
    const set = answer.breakpoints.map(({ point, kind }) => `${point} ${String(kind)}`)
    return matchers.every(({ point, kind }) => set.includes(`${point} ${String(kind)}`) === wanted) ? true : undefined
  }, type)
  socket.close()
}

/** The next run that comes, once it is held, at these breakpoints or, without any, at its failure. */
async function heldRun({ url, runs }: RunningCollector, breakpoints: readonly BreakpointMatcher[], start: () => unknown): Promise<string> {
  await control(url, 'breakpoint.set', breakpoints)
  const known = new Set((await runs()).map(({ id }) => id))
  await start()
  const id = await eventually(async () => (await runs()).find((run) => !known.has(run.id) && run.held > 0)?.id, 'a held call')
  await control(url, 'breakpoint.clear', breakpoints)
  return id
}

async function sendMany(url: string, calls: number): Promise<string> {
  const { traceId, spans } = manySpans(calls, { fan: calls > 1000 ? 40 : 0, name: `agent-of-${calls}`, nodes: calls > 5 ? 12 : 4 })
  await postSpans(url, spans)
  return traceId
}

/** Fills the stage. */
export async function setStage(empty: RunningCollector, full: RunningCollector): Promise<Stage> {
  // It stops everything here for a while, long enough for the collector to close a connection that idles.
  installExample('demo-agent')
  await sendSampleRuns(full.url, SAMPLES)
  const calls = [{ kind: 'tool', name: 'search', from: 10, to: 4000 }] as const
  const { traceId: imported, body } = traceOf([{ kind: 'agent', name: 'imported-planner', from: 0, to: 5000, calls }])
  await fetch(`${full.url}/api/import`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const demo = () => fetch(`${full.url}/api/demo/start`, { method: 'POST' })
  const agents: Program[] = []
  const env = { GRAPHMIND_URL: full.ingestUrl, ...WAIT_FOR_ATTACH, DEMO_PACE_MS: '0' }
  const agent = () => agents.push(startExample('demo-agent', env))
  const runs = {
    agents: await sendTrace(full.url, AGENTS),
    calls5: await sendMany(full.url, 5),
    calls500: await sendMany(full.url, 500),
    calls10000: await sendMany(full.url, 10_000),
    first: await sendTrace(full.url, planner('first-planner', 'Lisbon', false)),
    second: await sendTrace(full.url, planner('second-planner', 'Oslo', true)),
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

/** Every screen of the viewer, each in the state in which there is most to see. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'first-run',
    open: async (page, { empty }) => {
      await page.goto(empty.url)
      await page.getByRole('status', { name: 'Requests so far' }).waitFor()
    },
  },
  {
    name: 'runs',
    open: async (page, { full }) => {
      await page.goto(full.url)
      await page.getByRole('row').nth(5).waitFor()
    },
  },
  {
    name: 'search',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/?view=search&find=Lisbon`)
      await page.locator('mark').first().waitFor()
    },
  },
  {
    name: 'conversations',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/?view=conversations`)
      await page.getByRole('link', { name: 'chat-7f3a' }).waitFor()
    },
  },
  { name: 'run-of-5', open: (page, stage) => openRun(page, stage, 'calls5', '?view=both') },
  { name: 'run-of-500', open: (page, stage) => openRun(page, stage, 'calls500', '?view=graph') },
  { name: 'run-of-500-timeline', open: (page, stage) => openRun(page, stage, 'calls500', '?view=timeline') },
  { name: 'run-of-10000', open: (page, stage) => openRun(page, stage, 'calls10000', '?view=both') },
  {
    name: 'agents',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph&look=paths.order')
      await page.getByRole('button', { name: /^tool fetchPage/ }).waitFor()
    },
  },
  {
    name: 'agents-as-list',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph&look=paths.list')
      await page.getByRole('list', { name: 'Nodes of the graph' }).waitFor()
    },
  },
  {
    name: 'messages',
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
    open: async (page, stage) => {
      await openRun(page, stage, 'held', '?view=both&asOf=12')
      await page.getByRole('button', { name: 'Now' }).waitFor()
    },
  },
  { name: 'held', open: (page, stage) => openHeld(page, stage, 'held', '?view=graph&tab=messages') },
  { name: 'waiting', open: (page, stage) => openHeld(page, stage, 'waiting', '?view=both&tab=messages') },
  { name: 'after', open: (page, stage) => openHeld(page, stage, 'after', '?view=timeline&tab=messages') },
  {
    name: 'inject',
    open: async (page, stage) => {
      await openHeld(page, stage, 'held', '?view=graph&tab=messages')
      await press(page, 'i')
      await page.getByRole('textbox', { name: 'Injected value' }).fill('{"withinBudget": tr')
      await page.getByText(/^Not JSON yet/).waitFor()
    },
  },
  {
    name: 'edit',
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
    open: async (page, stage) => {
      await openHeld(page, stage, 'held', '?view=graph&tab=messages')
      await press(page, 'Shift+F8')
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'imported', open: (page, stage) => openRun(page, stage, 'imported', '?view=graph') },
  {
    name: 'missing',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/run/nobody`)
      await page.getByRole('heading', { name: 'This run is not here' }).waitFor()
    },
  },
  {
    name: 'compare',
    open: async (page, { full, runs }) => {
      await page.goto(`${full.url}/compare/${runs.first}/${runs.second}`)
      await page.getByRole('row').filter({ hasText: 'search' }).click()
      await page.getByRole('region', { name: 'Difference' }).getByText('Oslo').first().waitFor()
    },
  },
  {
    name: 'breakpoints',
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
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph&look=paths')
      await page.getByRole('button', { name: 'New breakpoint' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('sea*')
      await page.getByText('Would have matched 4 of 10 here.').waitFor()
      await page.getByRole('textbox', { name: 'When' }).click()
      await page.keyboard.type('input.')
      await page.getByRole('option', { name: /^q/ }).waitFor()
    },
  },
  {
    name: 'settings',
    open: async (page, { full }) => {
      await page.goto(`${full.url}/settings`)
      await page.getByRole('status', { name: 'Requests so far' }).waitFor()
    },
  },
  {
    name: 'palette',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph')
      await press(page, 'Control+k')
      await page.keyboard.type('sea')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'keys',
    open: async (page, stage) => {
      await openRun(page, stage, 'agents', '?view=graph')
      await press(page, '?')
      await page.getByRole('dialog', { name: 'All keys' }).waitFor()
    },
  },
]
