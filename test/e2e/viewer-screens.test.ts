import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample, WAIT_FOR_ATTACH } from '../support/examples.ts'
import { sendTrace, traceOf } from '../support/otlp-trace.ts'
import { root, startProgram } from '../support/process.ts'

const GRACE_MS = '200'
let browser: Browser
let collector: RunningCollector
let viewers: ViewerPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  viewers = []
  collector = await startCollector([], { env: { GRAPHMIND_ABANDON_GRACE_MS: GRACE_MS } })
})
afterEach(async () => {
  for (const viewer of viewers) await viewer.close()
  await collector.stop()
})

async function open(path: string): Promise<Page> {
  const viewer = await openViewer(browser, `${collector.url}${path}`)
  viewers.push(viewer)
  return viewer.page
}

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const box = (page: Page, name: RegExp) => page.getByRole('region', { name: 'Graph' }).getByRole('button', { name, pressed: false })
const status = (page: Page, text: RegExp) => page.getByRole('status', { name: 'Run status' }).filter({ hasText: text }).waitFor()

/** A picture of one pixel, as PNG in base64. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Two agents that use the same tools, one of them twice. */
const TWO_AGENTS = [
  {
    kind: 'agent',
    name: 'lead',
    from: 0,
    to: 9000,
    calls: [
      {
        kind: 'agent',
        name: 'finder',
        from: 100,
        to: 4000,
        calls: [
          { kind: 'tool', name: 'search', from: 200, to: 900, input: { q: 'Oslo', filter: '{"lang":"en"}' }, output: [{ title: 'Oslo' }] },
          { kind: 'tool', name: 'search', from: 1000, to: 1900, input: { q: 'Rome' }, error: 'no answer' },
        ],
      },
      {
        kind: 'agent',
        name: 'writer',
        from: 4100,
        to: 8900,
        calls: [
          { kind: 'tool', name: 'search', from: 4200, to: 4900, input: { q: 'style' }, output: [] },
          {
            kind: 'llm',
            name: 'gpt-test',
            from: 5000,
            to: 8000,
            input: [
              {
                role: 'user',
                parts: [
                  { type: 'text', content: 'Write **a list**' },
                  { type: 'blob', modality: 'image', mime_type: 'image/png', content: PIXEL },
                  { type: 'uri', modality: 'image', uri: 'https://example.org/a.png' },
                ],
              },
            ],
            output: [{ role: 'assistant', parts: [{ type: 'text', content: '- one\n- two\n\n[more](https://example.org/)' }] }],
          },
        ],
      },
    ],
  },
] as const

describe('the demo', () => {
  it('goes from the first-run page to its end by keyboard alone', async () => {
    const page = await open('/')
    await page.getByRole('button', { name: 'Run the demo' }).waitFor()
    // A key at a time, until the button has the focus: nothing on the way may trap it.
    const focused = page.locator('button:focus', { hasText: 'Run the demo' })
    await eventually(async () => {
      await press(page, 'Tab')
      return (await focused.count()) === 1 ? true : undefined
    }, 'the focus on the button')
    await press(page, 'Enter')
    await page.getByRole('region', { name: 'Paused' }).filter({ hasText: 'checkBudget' }).waitFor()
    await press(page, 'j', 'i')
    await page.locator('[aria-label="Injected value"]:focus').waitFor()
    await press(page, 'Control+a')
    await page.keyboard.insertText('{"withinBudget": true}')
    await press(page, 'Control+Enter')
    await status(page, /finished/i)
    expect(viewers[0]?.complaints).toEqual([])
  })
})

describe('the graph of several agents', () => {
  it('shows a box for each way a node is called, or one for all, and keeps that in the address', async () => {
    const runId = await sendTrace(collector.url, TWO_AGENTS)
    const page = await open(`/run/${runId}`)
    await expect.poll(() => box(page, /^tool search/).count()).toBe(2)
    await press(page, 'w')
    await expect.poll(() => box(page, /^tool search/).count()).toBe(1)
    await press(page, 'a')
    await page.getByRole('button', { name: /^Order/, pressed: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Order/, pressed: true }).waitFor()
    await expect.poll(() => box(page, /^tool search/).count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('look')).toBe('nodes.order')
    await press(page, 'x')
    await page.getByRole('button', { name: /^Error path/, pressed: true }).waitFor()
    expect(viewers[0]?.complaints).toEqual([])
  })
})

describe('the timeline', () => {
  it('keeps what is searched for and the stretch that is shown in the address', async () => {
    const runId = await sendTrace(collector.url, TWO_AGENTS)
    const page = await open(`/run/${runId}?view=timeline`)
    const lines = page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row')
    await lines.first().waitFor()
    await press(page, '/')
    await page.keyboard.type('search')
    await page.getByRole('checkbox', { name: 'Only matches' }).check()
    await expect.poll(() => lines.count()).toBe(3)
    await page.getByRole('button', { name: 'Zoom the timeline in' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toMatch(/^\d/)
    const range = new URL(page.url()).searchParams.get('range')
    await page.reload()
    await expect.poll(() => lines.count()).toBe(3)
    await page.getByRole('button', { name: 'Show the whole run', disabled: false }).waitFor()
    expect(new URL(page.url()).searchParams.get('range')).toBe(range)
    await page.getByRole('button', { name: 'Show the whole run' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('range')).toBe(false)
    expect(viewers[0]?.complaints).toEqual([])
  })
})

describe('the breakpoint editor', () => {
  it('completes a condition from what the run holds, says what it would have matched, and sets it', async () => {
    const runId = await sendTrace(collector.url, TWO_AGENTS)
    const page = await open(`/run/${runId}`)
    await page.getByRole('button', { name: 'New breakpoint' }).click()
    const form = page.getByRole('form', { name: 'New breakpoint' })
    await form.getByRole('textbox', { name: 'Name' }).fill('sea*')
    await form.getByText('Would have matched 3 of 7 here.').waitFor()
    const when = form.getByRole('textbox', { name: 'When' })
    await when.click()
    await page.keyboard.type('input.')
    await page.getByRole('option', { name: /^q/ }).waitFor()
    await page.keyboard.type('q == ')
    await form.getByRole('button', { name: 'Set breakpoint', disabled: true }).or(form.locator('[aria-disabled="true"]')).first().waitFor()
    await page.keyboard.type('"Rome"')
    await form.getByText('Would have matched 1 of 7 here.').waitFor()
    await press(page, 'Enter')
    await page.getByText('before anything named sea*, when input.q == "Rome"').waitFor()
    expect(viewers[0]?.complaints).toEqual([])
  })
})

describe('the inspector', () => {
  it('reads texts as Markdown and JSON inside of texts when asked, draws pictures, and loads nothing from them', async () => {
    const runId = await sendTrace(collector.url, TWO_AGENTS)
    const page = await open(`/run/${runId}`)
    const inspector = page.getByRole('region', { name: 'Inspector' })
    await page.getByRole('treeitem', { name: /gpt-test/ }).click()
    await inspector.getByText('- one').waitFor()
    await inspector.getByText('image/png, 70 B, 1 × 1').waitFor()
    await inspector.getByText(/image at https:.*nothing is loaded from elsewhere/).waitFor()
    expect(await inspector.getByText('iVBORw0').count()).toBe(0)
    await inspector.getByRole('radio', { name: 'Markdown' }).check({ force: true })
    await inspector.getByRole('listitem').filter({ hasText: 'two' }).waitFor()
    expect(await inspector.getByRole('link').count()).toBe(0)
    await page
      .getByRole('treeitem', { name: /^search/ })
      .first()
      .click()
    await inspector.getByRole('button', { name: 'Parse 1 text' }).click()
    await inspector.getByText('"lang"').waitFor()
    expect(viewers[0]?.complaints).toEqual([])
  })
})

describe('what a screen says', () => {
  it('of runs that are imported, detached, failed in parts, or not there', async () => {
    const runId = await sendTrace(collector.url, [
      { kind: 'agent', name: 'lead', from: 0, to: 900, calls: [{ kind: 'tool', name: 'book', from: 10, to: 20, error: 'sold out' }] },
      { kind: 'tool', name: 'lost', from: 30, to: 40, orphan: true },
      { kind: 'tool', name: 'slow', from: 50, to: 'running' },
      { kind: 'tool', name: 'wordy', from: 60, to: 70, output: 'many words…[graphmind: truncated]' },
    ])
    const page = await open(`/run/${runId}`)
    await page.getByText('Detached').waitFor()
    await page.getByRole('treeitem', { name: /^Parent not received 1/ }).waitFor()
    await page.getByRole('region', { name: 'Inspector' }).getByText('sold out').waitFor()
    await page.getByRole('treeitem', { name: /^book.*failed/ }).click()
    await page.getByText('No input was recorded for this call.').waitFor()
    await page.getByRole('treeitem', { name: /^slow/ }).click()
    await page.getByText(/No output yet: running for \d/).waitFor()
    await page.getByRole('treeitem', { name: /^wordy/ }).click()
    await page.getByText(/Not the whole value: it was too large to send/).waitFor()
    await press(page, 'Escape')
    await page.getByText('Select a node or a row to see its messages, input and output.').waitFor()
    await page.goto(`${collector.url}/run/${runId}?instance=nobody`)
    await page.getByText(/This step is not in the run/).waitFor()
    const { traceId, body } = traceOf(['old', 'older'].map((name) => ({ kind: 'agent', name, from: 0, to: 5 })))
    const imported = await fetch(`${collector.url}/api/import`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(imported.ok, await imported.text()).toBe(true)
    await page.goto(`${collector.url}/run/${traceId}`)
    await page.getByText(/Imported: read and compare.* there is no tree/).waitFor()
    await page.goto(`${collector.url}/run/nobody`)
    await page.getByRole('heading', { name: 'This run is not here' }).waitFor()
    await page.goto(`${collector.url}/runs/nowhere`)
    await page.getByRole('heading', { name: 'There is no page here' }).waitFor()
  })

  it('when the agent goes while it is held: let go by itself, abandoned, and never a person’s choice', async () => {
    installExample('demo-agent')
    // The program itself: what started it would wait for it.
    const agent = startProgram([join(root, 'examples', 'demo-agent', 'agent.mjs')], {
      env: { GRAPHMIND_URL: collector.ingestUrl, ...WAIT_FOR_ATTACH, DEMO_PACE_MS: '0' },
    })
    try {
      const runId = await eventually(async () => (await collector.runs()).find((run) => run.held > 0)?.id, 'a held call')
      const page = await open(`/run/${runId}`)
      await page.getByRole('region', { name: 'Paused' }).waitFor()
      await page.getByText('Attached').waitFor()
      // A program that hangs takes no command; the collector says so after a while.
      agent.child.kill('SIGSTOP')
      await press(page, 'c')
      await page.getByText(/The program did not answer\. The call is still held; try again\./).waitFor()
      agent.child.kill('SIGKILL')
      await page
        .getByText(/let go: link lost/i)
        .first()
        .waitFor()
      await page.getByText(/No end was seen/).waitFor()
      await status(page, /abandoned/i)
    } finally {
      await agent.stop()
    }
  })

  it('when the collector goes: who is gone, while what is there stays readable', async () => {
    const runId = await sendTrace(collector.url, TWO_AGENTS)
    const page = await open(`/run/${runId}`)
    await box(page, /^agent lead/).waitFor()
    await collector.program.stop()
    await page.getByText(/The collector at .* can’t be reached.*Next try in \d+ s/).waitFor()
    await page.getByRole('treeitem', { name: /^lead/ }).click()
    await page.getByRole('heading', { name: 'agent lead' }).waitFor()
  })
})
