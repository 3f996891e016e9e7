import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findings } from '../support/axe.ts'
import { launchBrowser, openViewer } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { arePicturesWanted, forgetPictures, savePicture, screensPage, takeAllPictures } from '../support/pictures.ts'
import { root } from '../support/process.ts'
import { SCREENS, type Stage, setStage } from '../support/screens.ts'

// Under `npm run screenshots` this takes the pictures of the documents too: of each screen in both themes and three widths.

let browser: Browser
let collectors: readonly RunningCollector[] = []
let stage: Stage

beforeAll(async () => {
  browser = await launchBrowser()
  const [empty, full] = [await startCollector(), await startCollector()]
  collectors = [empty, full]
  stage = await setStage(empty, full)
  if (!arePicturesWanted) return
  forgetPictures()
  writeFileSync(join(root, 'docs', 'screens.md'), screensPage(SCREENS))
})
afterAll(async () => {
  await browser.close()
  for (const collector of collectors) await collector.stop()
  for (const agent of stage.agents) await agent.stop()
})

const PHONE = { width: 390, height: 844 }
/** 1280 px at 400 %, or the smallest phone. */
const SMALLEST = { width: 320, height: 640 }

/** What is less than 24 px to press (WCAG 2.2), which axe doesn't look at by itself. The graph is as small as it was zoomed. */
async function tooSmall(page: Page): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).withRules('target-size').exclude('.react-flow')
  const { violations } = await axe.analyze()
  return violations.flatMap(({ nodes }) => nodes.map((node) => node.html))
}

/** What one can't see whole without moving the page sideways. What lies in a part that moves by itself, such as the graph, may. */
const STICKING_OUT = `(() => {
  const wide = document.documentElement.clientWidth
  const moves = (element) => element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || moves(element.parentElement))
  return [...document.body.querySelectorAll('button, a, input, select, h1, h2, h3, label, summary')]
    .filter((element) => element.checkVisibility() && element.closest('.react-flow__renderer, .visually-hidden') === null)
    .filter((element) => element.getBoundingClientRect().right > wide + 1 && !moves(element.parentElement))
    .map((element) => element.outerHTML.slice(0, 120))
})()`

describe('every screen', () => {
  it.each(SCREENS)('$name: axe finds nothing in either theme, wide or narrow, and it fits 320 px', async (screen) => {
    const viewer = await openViewer(browser, 'about:blank')
    const { page } = viewer
    try {
      await screen.open(page, stage)
      if (arePicturesWanted) await takeAllPictures(page, screen)
      expect(await findings(page), 'light, 1440 px').toEqual([])
      expect(await tooSmall(page), '1440 px').toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await findings(page, 'color-contrast'), 'dark, 1440 px').toEqual([])
      for (const size of [PHONE, SMALLEST]) {
        await page.setViewportSize(size)
        expect(await page.evaluate(STICKING_OUT), `${size.width} px`).toEqual([])
      }
      expect(await findings(page), 'dark, 320 px').toEqual([])
      expect(await tooSmall(page), '320 px').toEqual([])
      expect(viewer.complaints).toEqual([])
    } catch (error) {
      await savePicture(page, `failed-${screen.name}`)
      throw error
    } finally {
      await viewer.close()
    }
  })
})
