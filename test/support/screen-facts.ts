import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'

export interface ScreenFacts {
  readonly status: string | null
  readonly outline: readonly string[]
  readonly timeline: readonly string[]
  readonly waits: readonly string[]
  readonly replay: string | null
  /** Every text that can be read, once each: where the graph puts its boxes, and how far the ruler goes by now, is not the point. */
  readonly texts: readonly string[]
  /** What the values of calls read, as code or as the plain text that stands there until the code view is loaded. */
  readonly values: readonly string[]
  /** Every control with its name and state, also boxes of the graph. */
  readonly controls: readonly string[]
}

/** Texts and controls of the page; what tells of a thing just done, such as “Continued by you”, is gone after a reload and left out. */
const READ_PAGE = `(() => {
  const passing = '[role="status"][aria-label="Released calls"], [role="status"][aria-label="What was done"], [aria-live]:not([aria-label])'
  const shown = (element) => element.checkVisibility() && element.closest(passing) === null
  const own = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join('').trim()
  const elements = [...document.body.querySelectorAll('*')].filter(shown)
  const states = ['aria-pressed', 'aria-selected', 'aria-expanded', 'aria-disabled', 'aria-checked', 'aria-current', 'data-state']
  const told = (element) => states.filter((name) => element.hasAttribute(name)).map((name) => name.slice(5) + '=' + element.getAttribute(name))
  const name = (element) => element.getAttribute('aria-label') ?? element.textContent.trim()
  const controls = elements.filter((element) => element.matches('button, input, [role="tab"], [role="treeitem"], [role="row"], [role="switch"]'))
  return {
    texts: elements.filter((element) => element.closest('pre, .cm-editor') === null).map(own),
    values: elements.filter((element) => element.matches('pre, .cm-content')).map((element) => element.textContent.replaceAll(/\\s/g, '')),
    controls: controls.map((element) => [name(element), ...told(element), element.checked === true ? 'checked' : ''].join(' ')),
  }
})()`

/** What a screen says, without the times that go on. */
async function screenFacts(page: Page): Promise<ScreenFacts> {
  const texts = (role: 'treeitem' | 'row', name: string) =>
    page
      .getByRole(role === 'treeitem' ? 'tree' : 'treegrid', { name })
      .getByRole(role)
      .allTextContents()
  const told = {
    status: await page.getByRole('status', { name: 'Run status' }).textContent(),
    outline: await texts('treeitem', 'Run outline'),
    timeline: await texts('row', 'Timeline'),
    waits: await page.getByRole('region', { name: 'Paused' }).getByRole('strong').allTextContents(),
    replay: await page.getByRole('slider', { name: 'Replay' }).getAttribute('aria-valuetext'),
  }
  const read = await page.evaluate<Pick<ScreenFacts, 'texts' | 'values' | 'controls'>>(READ_PAGE)
  const sorted = (list: readonly string[]) => [...new Set(list.map(withoutTimes))].filter((text) => /[^·⋯+\s]/.test(text)).sort()
  return {
    ...(JSON.parse(withoutTimes(JSON.stringify(told))) as typeof told),
    texts: sorted(read.texts),
    values: sorted(read.values),
    controls: sorted(read.controls),
  }
}

function withoutTimes(text: string): string {
  return text.replace(/\d[\d.,]*\s?(?:ms|s|min)\b/g, '·')
}

/** Reads the screen until it says the same as before. */
export async function sameFacts(page: Page, before: ScreenFacts, what: string): Promise<void> {
  let last: ScreenFacts | undefined
  const isSame = async () => {
    last = await screenFacts(page)
    return JSON.stringify(last) === JSON.stringify(before) ? true : undefined
  }
  await eventually(isSame, `the same screen ${what}`, 8000).catch(() => expect(last, what).toEqual(before))
}

/** Loads the page again: it must say what it said. */
export async function reloadSame(page: Page, what: string): Promise<void> {
  const before = await settledFacts(page, what)
  await page.reload()
  await sameFacts(page, before, what)
}

/** What the screen says once all of its parts are loaded and lists that are drawn a moment later have come after the rest. */
export function settledFacts(page: Page, what: string): Promise<ScreenFacts> {
  let last = ''
  return eventually(async () => {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    const facts = await screenFacts(page)
    const isSettled = JSON.stringify(facts) === last && !facts.texts.some((text) => text.startsWith('Loading'))
    last = JSON.stringify(facts)
    return isSettled ? facts : undefined
  }, `a screen at rest ${what}`)
}
