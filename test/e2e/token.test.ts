import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliver, traceRequest } from '../faults/support/traces.ts'
import { launchBrowser, openViewer } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'

const TOKEN = 'token-for-the-tests'

describe('the viewer of a collector with a token', () => {
  let browser: Browser
  let collector: RunningCollector
  beforeAll(async () => {
    browser = await launchBrowser()
    collector = await startCollector([], { env: { GRAPHMIND_TOKEN: TOKEN } })
  })
  afterAll(async () => {
    await browser.close()
    await collector.stop()
  })

  it('shows the runs to who opens the printed link, keeps the token out of the address, and survives a reload', async () => {
    expect((await deliver(collector.url, traceRequest(1, 3).body)).status).toBe(401)
    const sent = await fetch(`${collector.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
      body: traceRequest(1, 3).body,
    })
    expect(sent.status).toBe(200)
    const { page, complaints, close } = await openViewer(browser, `${collector.url}/#token=${TOKEN}`)
    await page
      .getByText(/planner/)
      .first()
      .waitFor()
    expect(page.url()).not.toContain(TOKEN)
    await page.reload()
    await page
      .getByText(/planner/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('says what is missing to who opens only the address', async () => {
    const { page, close } = await openViewer(browser, collector.url)
    await page.getByRole('heading', { name: 'This GraphMind asks for its token' }).waitFor()
    expect(await page.getByText(/planner/).count()).toBe(0)
    await close()
  })
})
