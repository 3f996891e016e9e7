import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe finds: all of it, or what one rule says. Legacy mode judges in the page itself instead of a second one that the browser opens for it. */
export async function findings(page: Page, rule?: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations } = await (rule === undefined ? axe : axe.withRules(rule)).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** All that axe finds in light, and in dark what may differ from it: colours. */
export function findingsIn(page: Page, theme: 'light' | 'dark'): Promise<readonly string[]> {
  return findings(page, theme === 'dark' ? 'color-contrast' : undefined)
}
