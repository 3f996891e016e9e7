import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample, startExample } from '../support/examples.ts'
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
  let agent: Program | undefined

  beforeEach(async () => {
    collector = await startCollector()
  })
  afterEach(async () => {
    await viewer.close()
    await agent?.stop()
    agent = undefined
    await collector.stop()
  })

  const startAgent = () => startExample('demo-agent', { GRAPHMIND_URL: collector.ingestUrl, DEMO_PACE_MS: '0' })
  const paused = () => viewer.page.getByRole('region', { name: 'Paused' })
  const runStatus = () => viewer.page.getByRole('status', { name: 'Run status' })

  /** Opens the run from the list and waits until its failing tool is held. */
  async function openHeldRun(theme: 'light' | 'dark' = 'light') {
    viewer = await openViewer(browser, collector.url, theme)
    agent = startAgent()
    await viewer.page.getByRole('link', { name: /trip-planner/ }).click()
    await paused().waitFor()
    await viewer.page.getByRole('button', { name: /tool convertCurrency.*paused/i }).waitFor()
  }

  it('shows why it waits, takes an injected value, and the agent’s final answer has it', async () => {
    await openHeldRun('light')
    expect(await paused().textContent()).toMatch(/convertCurrency/)
    await viewer.screenshot('held-light')

    await paused()
      .getByRole('button', { name: /^Inject/ })
      .click()
    const editor = viewer.page.getByRole('textbox', { name: 'Injected value' })
    await editor.waitFor()
    await editor.fill('{"amount": 4242, "currency": "EUR"}')
    await viewer.screenshot('inject-light')
    await viewer.page.getByRole('button', { name: 'Send' }).click()

    await agent?.exited
    expect(agent?.child.exitCode).toBe(0)
    expect(agent?.output()).toContain('4242')
    await eventually(
      async () => ((await runStatus().textContent())?.match(/ok|finished/i) ? true : undefined),
      'the run to be shown as finished',
    )
    await viewer.screenshot('finished-light')
    const [run] = await collector.runs()
    expect(run).toMatchObject({ status: 'ok', held: 0 })
    expect(JSON.stringify(await collector.events(run?.id ?? ''))).toContain('4242')
    expect(viewer.complaints).toEqual([])
  })
})
