import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'

// What a page owes to those who see it otherwise: forced colours, less motion, larger text.

let browser: Browser
let collector: RunningCollector
let viewer: ViewerPage | undefined

beforeAll(async () => {
  browser = await launchBrowser()
  collector = await startCollector()
})
afterEach(async () => {
  await viewer?.close()
  viewer = undefined
})
afterAll(async () => {
  await collector.stop()
  await browser.close()
})

/** A page on a demo run that is held, its held call selected. */
async function heldDemo(): Promise<Page> {
  const answer = await fetch(`${collector.url}/api/demo/start`, { method: 'POST' })
  const { runId } = (await answer.json()) as { readonly runId: string }
  viewer = await openViewer(browser, `${collector.url}/run/${runId}?view=both`)
  const { page } = viewer
  await page.getByRole('region', { name: 'Paused' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'tool checkBudget' }).waitFor()
  return page
}

const style = (page: Page, selector: string, property: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`)

it('tells the selected row, the held box and a switch that is on by lines where colours are forced', async () => {
  const page = await heldDemo()
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await style(page, '[role="treeitem"][aria-selected="true"]', 'outlineStyle')).toBe('solid')
  expect(await style(page, '[data-state="paused"][data-mark]', 'outlineStyle')).toMatch(/solid|double/)
  const [on, off] = await page.evaluate<[string, string]>(
    `['checked', 'unchecked'].map((state) => getComputedStyle(document.querySelector('[role="switch"][data-state="' + state + '"] > span')).transform)`,
  )
  expect(on).not.toBe(off)
})

it('moves nothing where less motion is wanted, and pulses where it is not', async () => {
  const page = await heldDemo()
  const moving = `document.getAnimations().map((animation) => animation.animationName ?? animation.transitionProperty)`
  expect(await page.evaluate(moving)).toEqual([])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(() => page.evaluate(`(${moving}).length`)).toBeGreaterThan(0)
})

it('can still be watched and continued at 200 % on a screen of 1280 px', async () => {
  const page = await heldDemo()
  // Zoomed in by two, the page has half the pixels.
  await page.setViewportSize({ width: 640, height: 400 })
  const bar = page.getByRole('region', { name: 'Paused' })
  await bar.getByRole('button', { name: 'Continue' }).scrollIntoViewIfNeeded()
  for (const action of await bar.getByRole('button').all()) {
    const box = await action.boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 640 && box.y + box.height <= 400, (await action.textContent()) as string).toBe(true)
  }
  await bar.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByRole('status', { name: 'Run status' })
    .filter({ hasText: /Finished|Failed/ })
    .waitFor()
})
