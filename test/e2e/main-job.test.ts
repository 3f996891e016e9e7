import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample, startExample, WAIT_FOR_ATTACH } from '../support/examples.ts'
import type { Program } from '../support/process.ts'

let browser: Browser
beforeAll(async () => {
  installExample('demo-agent')
  browser = await launchBrowser()
})
afterAll(() => browser.close())

describe('a held tool call is released from the browser', () => {
  let collector: RunningCollector
  let viewer: ViewerPage
  let agent: Program

  beforeEach(async () => {
    collector = await startCollector()
  })
  afterEach(async () => {
    await viewer.close()
    await agent.stop()
    await collector.stop()
  })

  const startAgent = () => startExample('demo-agent', { GRAPHMIND_URL: collector.ingestUrl, ...WAIT_FOR_ATTACH, DEMO_PACE_MS: '0' })
  const paused = () => viewer.page.getByRole('region', { name: 'Paused' })
  const press = (name: RegExp) => paused().getByRole('button', { name }).click()
  const node = (name: RegExp) => viewer.page.getByRole('button', { name })
  const runStatus = (text: RegExp) =>
    viewer.page.getByRole('status', { name: 'Run status' }).filter({ hasText: text }).waitFor({ state: 'visible' })
  const switchOn = (name: string) => viewer.page.getByRole('switch', { name }).click()

  /** The first run of all opens by itself; waits until its failing tool is held. */
  async function openHeldRun(theme: 'light' | 'dark' = 'light') {
    viewer = await openViewer(browser, collector.url, theme)
    agent = startAgent()
    await paused().filter({ hasText: 'convertCurrency' }).waitFor()
    await node(/tool convertCurrency.*paused/i).waitFor()
  }

  /** Sets a breakpoint before any program runs, then starts one and opens its run. */
  async function openWithBreakpoint(name: string) {
    viewer = await openViewer(browser, `${collector.url}/breakpoints`)
    await switchOn(name)
    agent = startAgent()
    const runId = await eventually(async () => (await collector.runs())[0]?.id, 'the run')
    await viewer.page.goto(`${collector.url}/run/${runId}`)
  }

  async function finalAnswer(): Promise<string> {
    expect(await agent.exited, agent.output()).toBe(0)
    return agent.output()
  }

  it.each(['light', 'dark'] as const)(
    'shows why it waits, takes an injected value, and the agent’s final answer has it (%s)',
    async (theme) => {
      await openHeldRun(theme)
      expect(await paused().textContent()).toMatch(/TypeError/)
      await node(/tool convertCurrency.*paused/i).click()
      await viewer.screenshot(`held-${theme}`)

      await press(/^Inject/)
      await viewer.page.getByRole('textbox', { name: 'Injected value' }).fill('{"amount": 4242, "currency": "EUR"}')
      await viewer.screenshot(`inject-${theme}`)
      await viewer.page.getByRole('button', { name: /^Send/ }).click()

      expect(await finalAnswer()).toContain('4242')
      await runStatus(/finished/i)
      await viewer.screenshot(`finished-${theme}`)
      const [run] = await collector.runs()
      expect(run).toMatchObject({ status: 'ok', held: 0 })
      const finals = (await collector.events(run?.id ?? '')).filter((event) => event.type === 'node.finished')
      expect(JSON.stringify(finals.at(-1))).toContain('4242')
      expect(viewer.complaints).toEqual([])
    },
  )

  it('lights every node when its span starts, before its call has ended', async () => {
    await openHeldRun()
    const [run] = await collector.runs()
    const events = await collector.events(run?.id ?? '')
    const of = (type: string) => events.filter((event) => event.type === type).map((event) => (event.payload as { nodeId: string }).nodeId)
    expect(of('node.started')).toEqual(expect.arrayContaining(['agent:trip-planner', 'tool:convertCurrency', 'tool:searchFlights']))
    expect(of('node.finished')).not.toContain('agent:trip-planner')
    expect(of('node.finished')).not.toContain('tool:convertCurrency')
    await node(/agent trip-planner.*running/i).waitFor()
    await press(/^Continue/)
    await finalAnswer()
    expect(viewer.complaints).toEqual([])
  })

  it('lets the error through on Continue, and the agent says that the tool failed', async () => {
    await openHeldRun()
    await press(/^Continue/)
    const answer = await finalAnswer()
    expect(answer).not.toContain('4242')
    await runStatus(/finished/i)
    await node(/tool convertCurrency.*(failed|error)/i).waitFor()
    expect(viewer.complaints).toEqual([])
  })

  it('runs the tool again on Retry, and holds the next failure too', async () => {
    await openHeldRun()
    await press(/^Retry/)
    await eventually(async () => {
      const [run] = await collector.runs()
      const events = await collector.events(run?.id ?? '')
      return events.filter((event) => event.type === 'exec.paused').length === 2 ? true : undefined
    }, 'a second hold')
    await paused().filter({ hasText: 'convertCurrency' }).waitFor()
    await press(/^Continue/)
    await finalAnswer()
    expect(viewer.complaints).toEqual([])
  })

  it('ends the run on Abort, asked once, and names it aborted', async () => {
    await openHeldRun()
    await press(/^Abort/)
    await viewer.page.getByRole('alertdialog').getByRole('button', { name: /abort/i }).click()
    await agent.exited
    expect(agent.output()).toMatch(/abort/i)
    await runStatus(/aborted/i)
    expect(viewer.complaints).toEqual([])
  })

  it('holds before any tool when asked to, and steps on with each Continue', async () => {
    await openWithBreakpoint('Break before any tool')
    // Two parallel tools: two holds, each released on its own; then the failing one is held at its error.
    await node(/tool searchFlights.*paused/i).waitFor()
    await node(/tool convertCurrency.*paused/i).waitFor()
    await press(/^Continue/)
    await press(/^Continue/)
    await paused().filter({ hasText: 'TypeError' }).waitFor()
    await press(/^Continue/)
    await finalAnswer()
    expect(viewer.complaints).toEqual([])
  })

  it('holds before a model call and streams its tokens into the inspector', async () => {
    await openWithBreakpoint('Break before any model call')
    await node(/llm step.*paused/i).click()
    await press(/^Continue/)
    await paused().filter({ hasText: 'TypeError' }).waitFor()
    await switchOn('Break before any model call')
    await press(/^Continue/)
    const answer = (await finalAnswer()).trim().split('\n').at(-1) ?? ''
    const [run] = await collector.runs()
    const tokens = (await collector.events(run?.id ?? ''))
      .filter((event) => event.type === 'node.token')
      .flatMap((event) => (event.payload as { deltas: { t: string; v: string }[] }).deltas)
    expect(
      tokens
        .filter((delta) => delta.t === 'text')
        .map((delta) => delta.v)
        .join(''),
    ).toContain(answer)
    expect(viewer.complaints).toEqual([])
  })

  it('lets the held agent go on when the collector is gone', async () => {
    await openHeldRun()
    await collector.program.stop()
    await finalAnswer()
    await viewer.page
      .getByText(/can.t be reached/)
      .first()
      .waitFor()
  })
})
