import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from './process.ts'
import type { Screen } from './screens.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]
/** Below this the parts of a run stand behind tabs, px. */
const NARROW = 900
const THEMES = ['light', 'dark'] as const
const IN_DOCS = join(root, 'docs', 'screens')

/** Whether pictures are to be taken; the tests themselves need none. */
export const arePicturesWanted = process.env['GRAPHMIND_SCREENSHOTS'] !== undefined

/** What the page shows as WebP; at quality 60 a third of the PNG, and texts are as easy to read. */
async function takePicture(page: Page, folder: string, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 })
  await session.detach()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}

/** A picture for whoever looks at a failure, under test/screenshots, which git does not keep. */
export function savePicture(page: Page, name: string): Promise<void> {
  return takePicture(page, join(root, 'test', 'screenshots'), name)
}

/** Forgets the pictures of the documents, so that none of a screen that is no more stays behind. */
export function forgetPictures(): void {
  rmSync(IN_DOCS, { recursive: true, force: true })
}

/** Pictures for the documents of what the page shows, in both themes and three widths. Leaves it light and wide. */
export async function takeAllPictures(page: Page, { name, narrow }: Pick<Screen, 'name' | 'narrow'>): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    if (size.width < NARROW) await narrow?.(page)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      // What follows the size follows a frame or two later, and no event tells of it.
      await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 400))')
      await takePicture(page, IN_DOCS, `${name}-${colorScheme}-${size.width}`)
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The pictures of a screen, as paths from docs/. */
const pictureOf = (name: string, theme: string, width: number) => `screens/${name}-${theme}-${width}.webp`

/** The document that leads to all pictures. */
export function screensPage(screens: readonly Screen[]): string {
  const links = (name: string, theme: string) =>
    `${theme} ${SIZES.map(({ width }) => `[${width}](${pictureOf(name, theme, width)})`).join(' ')}`
  const rows = screens.map(
    ({ name, shows }) =>
      `| <img src="${pictureOf(name, 'light', 1440)}" alt="" width="360"> | ${shows}<br>${THEMES.map((theme) => links(name, theme)).join('<br>')} |`,
  )
  return `# Screens

Every screen of the viewer in both themes, 1440, 1024 and 390 px wide, as \`npm run screenshots\` takes them with runs made up for it. [The viewer](viewer.md) tells what can be done on them.

| | |
| --- | --- |
${rows.join('\n')}
`
}
