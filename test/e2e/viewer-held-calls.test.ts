import { createSession, type GateDecision, type GateOptions, type Session } from '@graphmind-ai/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'

let browser: Browser
let collector: RunningCollector
let session: Session
let viewers: ViewerPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  viewers = []
  collector = await startCollector()
  session = createSession({ url: collector.ingestUrl, appName: 'traveller', enabled: true, env: {}, logger: { warn: () => undefined } })
  expect(await session.ready({ timeoutMs: 30_000 })).toBe(true)
})
afterEach(async () => {
  expect(viewers.flatMap(({ complaints }) => complaints)).toEqual([])
  for (const viewer of viewers) await viewer.close()
  await session.dispose()
  await collector.stop()
})

async function open(path: string): Promise<Page> {
  const viewer = await openViewer(browser, `${collector.url}${path}`)
  viewers.push(viewer)
  return viewer.page
}

/** A run whose tools are all called at once and all fail; `decided` is what each was told, in the order of the names. */
function failAtOnce(...names: readonly string[]) {
  const started = Promise.withResolvers<string>()
  const decided: (GateDecision | undefined)[] = names.map(() => undefined)
  const ended = session.run('trip', async ({ runId }) => {
    const calls = names.map(async (name, at) => {
      const node = { nodeId: `tool:${name}`, kind: 'tool', name, instanceId: `${name}-1` } as const
      const input = { city: 'Lisbon' }
      session.emit('node.started', { ...node, input })
      decided[at] = await session.gate('error', node, { input, error: new Error('no answer'), editable: true, validate: cityIsText })
      session.emit('node.finished', { ...node, status: 'ok', durationMs: 1, output: 'done' })
    })
    started.resolve(runId)
    await Promise.all(calls)
  })
  return { runId: started.promise, decided, ended }
}

const cityIsText: GateOptions['validate'] = (input) =>
  typeof Object(input).city === 'string' ? { ok: true, value: input } : { ok: false, message: 'The city must be a text.' }

const paused = (page: Page) => page.getByRole('region', { name: 'Paused' })
const title = (page: Page) => paused(page).getByRole('strong')

describe('several held calls', () => {
  it('are walked by N and P, and what is pressed goes to the one that is shown', async () => {
    const { runId, decided, ended } = failAtOnce('search', 'book')
    const page = await open(`/run/${await runId}`)
    await paused(page).getByText('1 of 2 calls waiting').waitFor()
    await expect.poll(() => title(page).textContent()).toBe('Paused on an error in tool search')
    await page.keyboard.press('n')
    await paused(page).getByText('2 of 2 calls waiting').waitFor()
    await expect.poll(() => title(page).textContent()).toBe('Paused on an error in tool book')
    await page.keyboard.press('n')
    await expect.poll(() => title(page).textContent()).toBe('Paused on an error in tool search')
    await page.keyboard.press('p')
    await expect.poll(() => title(page).textContent()).toBe('Paused on an error in tool book')
    await page.keyboard.press('c')
    await expect.poll(() => decided).toEqual([undefined, { action: 'continue' }])
    await expect.poll(() => title(page).textContent()).toBe('Paused on an error in tool search')
    expect(
      await paused(page)
        .getByText(/calls waiting/)
        .count(),
    ).toBe(0)
    await page.keyboard.press('c')
    await ended
    expect(decided).toEqual([{ action: 'continue' }, { action: 'continue' }])
  })

  it('go on with the first of two viewers, and the second is told who was first', async () => {
    const { runId, decided, ended } = failAtOnce('search')
    const path = `/run/${await runId}`
    const [one, two] = [await open(path), await open(path)]
    await paused(one).waitFor()
    await paused(two).waitFor()
    await one.keyboard.press('c')
    await ended
    await two
      .getByRole('status', { name: 'Released calls' })
      .getByText(/^Continued by another viewer$/)
      .waitFor()
    await paused(two).waitFor({ state: 'detached' })
    expect(decided).toEqual([{ action: 'continue' }])
  })
})

it('keeps a draft that the agent refuses, says why, and sends what was made of it', async () => {
  const { runId, decided, ended } = failAtOnce('search')
  const page = await open(`/run/${await runId}`)
  await paused(page).waitFor()
  await page.keyboard.press('e')
  const editor = page.getByRole('textbox', { name: 'Edited input' })
  await editor.fill('{"city": 12}')
  await editor.press('Control+Enter')
  await paused(page).getByText('Refused: The city must be a text. Your draft is kept.').waitFor()
  await page.reload()
  // The editor that was open opens by itself: a key would be typed into it.
  await expect.poll(() => editor.textContent()).toBe('{"city": 12}')
  await editor.fill('{"city": "Oslo"}')
  await editor.press('Control+Enter')
  await ended
  expect(decided).toEqual([{ action: 'retry', input: { city: 'Oslo' } }])
})
