// Takes pictures of a running viewer in both themes and several widths, and lets axe judge each: `node viewer/scripts/look.mjs ADDRESS FOLDER [NAME]`.
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'

const [address, folder = '/tmp/viewer-shots', name = 'page'] = process.argv.slice(2)
if (address === undefined) throw new Error('Give the address to look at, such as http://127.0.0.1:4747/.')

const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
const WIDTHS = [1440, 1024]
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

mkdirSync(folder, { recursive: true })
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: FLAGS })
for (const theme of ['light', 'dark']) {
  for (const width of WIDTHS) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, bypassCSP: true })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') console.log(`${theme} ${width} ${message.type()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => console.log(`${theme} ${width} page error: ${error.message}`))
    await page.goto(address)
    await page.waitForTimeout(1200)
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) })
    await page.evaluate(axe)
    const { violations } = await page.evaluate(() => globalThis.axe.run())
    for (const { id, impact, nodes } of violations) {
      console.log(`${theme} ${width} axe ${impact} ${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('\n   ')}`)
    }
    await context.close()
  }
}
await browser.close()
