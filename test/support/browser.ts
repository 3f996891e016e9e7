import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'

const SCREENSHOTS = fileURLToPath(new URL('../screenshots', import.meta.url))
// The package's own flags are not used: --single-process dies at the first context.close().
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']

export async function launchBrowser(): Promise<Browser> {
  const path = inject('chromium')
  return chromium.launch({ ...(path === 'chrome' ? { channel: 'chrome' } : { executablePath: path }), args: FLAGS })
}

export interface ViewerPage {
  readonly page: Page
  /** Everything the page complained of; a test that ends with any has failed. */
  readonly complaints: readonly string[]
  screenshot(name: string): Promise<void>
  close(): Promise<void>
}

/** Opens an address in a fresh context and collects console errors, page errors and failed requests. */
export async function openViewer(browser: Browser, url: string, theme: 'light' | 'dark' = 'light'): Promise<ViewerPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: theme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`page: ${error.message}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // A page that is left drops what it was still asking for.
    if (why !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${why}`)
  })
  await page.goto(url)
  mkdirSync(SCREENSHOTS, { recursive: true })
  return {
    page,
    complaints,
    screenshot: async (name) => {
      await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
    },
    close: () => context.close(),
  }
}
