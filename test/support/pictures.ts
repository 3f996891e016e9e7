import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from './process.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
const THEMES = ['light', 'dark'] as const

/** Pictures that the documents show: the screen, its theme and width. */
const SHOWN_IN_DOCS: ReadonlySet<string> = new Set([
  'held-light-1440',
  'held-dark-1440',
  'runs-light-1440',
  'search-dark-1440',
  'edit-dark-1440',
  'waiting-light-390',
  'agents-light-1440',
  'run-of-10000-dark-1440',
  'condition-light-1440',
  'compare-light-1440',
])

/** A picture as WebP, at this quality two fifths of the PNG and as easy to read; under test/screenshots, which git does not keep. */
export async function savePicture(page: Page, name: string, folder = join(root, 'test', 'screenshots')): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await session.detach()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}

/** With GRAPHMIND_SCREENSHOTS, pictures of what the page shows in both themes and three widths. Leaves it light and wide. */
export async function takeAllPictures(page: Page, name: string): Promise<void> {
  if (process.env['GRAPHMIND_SCREENSHOTS'] === undefined) return
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      // What follows the size follows a frame or two later, and no event tells of it.
      await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 400))')
      const picture = `${name}-${colorScheme}-${size.width}`
      await savePicture(page, picture)
      if (SHOWN_IN_DOCS.has(picture)) await savePicture(page, picture, join(root, 'docs', 'images'))
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
