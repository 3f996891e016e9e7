import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createSession, type Session } from '@graphmind-ai/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findings } from '../support/axe.ts'
import { tellBreakpoints } from '../support/breakpoints.ts'
import { launchBrowser, openViewer, type ViewerPage } from '../support/browser.ts'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { root, startProgram } from '../support/process.ts'
import { reloadSame } from '../support/screen-facts.ts'

let browser: Browser
let collector: RunningCollector
let sessions: Session[] = []
let viewers: ViewerPage[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  collector = await startCollector(['--allow-control', 'resume'], { env: { GRAPHMIND_ABANDON_GRACE_MS: '200' } })
  await tellBreakpoints(collector.url, 'breakpoint.set', [
    { kind: 'tool', name: 'look', point: 'before' },
    { kind: 'tool', name: 'look', point: 'after' },
  ])
})
afterAll(async () => {
  await browser.close()
  await collector.stop()
})
beforeEach(() => {
  viewers = []
  sessions = []
})
afterEach(async () => {
  expect(viewers.flatMap(({ complaints }) => complaints)).toEqual([])
  for (const viewer of viewers) await viewer.close()
  for (const session of sessions) await session.dispose()
})

/** A program that is attached: it knows the breakpoints. */
async function attach(options: { readonly pauseTimeoutMs?: number } = {}): Promise<Session> {
  const quiet = { env: {}, logger: { warn: () => undefined } }
  const session = createSession({ url: collector.ingestUrl, appName: 'traveller', enabled: true, ...quiet, ...options })
  sessions.push(session)
  expect(await session.ready({ timeoutMs: 30_000 })).toBe(true)
  return session
}

async function open(path: string): Promise<Page> {
  const viewer = await openViewer(browser, `${collector.url}${path}`)
  viewers.push(viewer)
  return viewer.page
}

const paused = (page: Page, at: RegExp) =>
  page.getByRole('region', { name: 'Paused' }).getByRole('strong').filter({ hasText: at }).waitFor()
const hits = (page: Page, count: number) =>
  expect.poll(() => page.getByRole('region', { name: 'Breakpoints' }).getByText('1 hit', { exact: true }).count()).toBe(count)
const status = (page: Page, text: RegExp) => page.getByRole('status', { name: 'Run status' }).filter({ hasText: text }).waitFor()

/** A run that is led from moment to moment: it begins, looks, books in vain, and ends; in between it works until it is told to go on. */
function trip(session: Session) {
  const started = Promise.withResolvers<string>()
  const [looks, books, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = session.run('trip', async ({ runId }) => {
    const planner = { nodeId: 'agent:planner', kind: 'agent', name: 'planner', instanceId: 'planner-1' } as const
    const tool = (name: string) =>
      ({ nodeId: `tool:${name}`, kind: 'tool', name, parentId: planner.nodeId, instanceId: `${name}-1` }) as const
    session.emit('node.started', { ...planner, input: { goal: 'Lisbon' } })
    started.resolve(runId)
    await looks.promise
    const look = tool('look')
    session.emit('node.started', { ...look, parentInstanceId: planner.instanceId, input: { city: 'Lisbon' } })
    await session.gate('before', look, { input: { city: 'Lisbon' }, editable: true })
    await books.promise
    await session.gate('after', look, { input: { city: 'Lisbon' }, output: ['a hotel'] })
    session.emit('node.finished', { ...look, status: 'ok', durationMs: 4, output: ['a hotel'] })
    const book = tool('book')
    session.emit('node.started', { ...book, parentInstanceId: planner.instanceId, input: { hotel: 1 } })
    await session.gate('error', book, { input: { hotel: 1 }, error: new Error('sold out') })
    session.emit('node.error', { ...book, error: { name: 'Error', message: 'sold out' } })
    await ends.promise
    session.emit('node.finished', { ...planner, status: 'ok', durationMs: 9, output: 'no trip' })
  })
  return { runId: started.promise, look: looks.resolve, book: books.resolve, end: ends.resolve, ended }
}

describe('a reload', () => {
  it('shows the same screen at each moment of a run, with a call selected and without', async () => {
    const { runId, look, book, end, ended } = trip(await attach())
    const page = await open(`/run/${await runId}?view=both`)
    const row = (name: RegExp) => page.getByRole('tree', { name: 'Run outline' }).getByRole('treeitem', { name })
    await status(page, /Running/)
    await page.getByRole('button', { name: /^agent planner/ }).waitFor()
    await reloadSame(page, 'while it runs')
    look()
    await paused(page, /before tool look/)
    await hits(page, 1)
    await page.getByRole('button', { name: /^tool look.*paused/ }).waitFor()
    await reloadSame(page, 'held before a call')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'tool look' }).waitFor()
    await reloadSame(page, 'held before the selected call')
    await page.keyboard.press('s')
    await status(page, /Step/)
    await row(/^look.*step/i).waitFor()
    await reloadSame(page, 'right after a release')
    book()
    await paused(page, /after tool look/)
    await hits(page, 2)
    await reloadSame(page, 'held after a call')
    await page.keyboard.press('c')
    // Continue ends what Step began, also when the page was loaded anew in between.
    await expect.poll(() => page.getByRole('radio', { name: 'Run', exact: true }).isChecked()).toBe(true)
    await paused(page, /on an error in tool book/)
    await page.getByRole('button', { name: /^tool book.*paused/ }).waitFor()
    await reloadSame(page, 'held at an error')
    await page.keyboard.press('c')
    await status(page, /Running/)
    await row(/^book.*failed/).click()
    await page.getByRole('banner').getByText('1 error').waitFor()
    await page.getByRole('heading', { name: 'tool book' }).waitFor()
    await reloadSame(page, 'after a failure')
    end()
    await ended
    await status(page, /Finished/)
    await reloadSame(page, 'when it is over')
  })
})

describe('a panel', () => {
  it('opens alone from the palette, in a tab of its own, and stays as it is over a reload', async () => {
    const session = await attach()
    const runId = await session.run('trip', ({ runId }) => {
      session.emit('node.started', { nodeId: 'tool:look', kind: 'tool', name: 'look', instanceId: 'look-1' })
      session.emit('node.finished', { nodeId: 'tool:look', instanceId: 'look-1', status: 'ok', durationMs: 1, output: 'a hotel' })
      return runId
    })
    const page = await open(`/run/${runId}?instance=look-1&tab=output`)
    await page.getByRole('heading', { name: 'tool look' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('inspector in a tab')
    const [alone] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
    await alone.getByRole('heading', { name: 'tool look' }).waitFor()
    await alone.getByText('a hotel').waitFor()
    expect(await alone.getByRole('region').evaluateAll((parts) => parts.map((part) => part.getAttribute('aria-label')))).toEqual([
      'Inspector',
    ])
    expect(await findings(alone)).toEqual([])
    await alone.reload()
    await alone.getByText('a hotel').waitFor()
    await alone.getByRole('link', { name: 'Show the whole run' }).click()
    await alone.getByRole('region', { name: 'Graph' }).waitFor()
    await alone.getByText('a hotel').waitFor()
  })
})

describe('a node that is known and not reached', () => {
  it('is drawn from the start, says so, and lights up in place when it is reached', async () => {
    const session = await attach()
    const reaches = Promise.withResolvers<void>()
    const started = Promise.withResolvers<string>()
    const publish = { nodeId: 'tool:publish', kind: 'tool', name: 'publish', instanceId: 'publish-1' } as const
    const ended = session.run('trip', async ({ runId }) => {
      session.emit('graph.hint', { nodes: [{ nodeId: publish.nodeId, kind: 'tool', name: 'publish', parentId: 'agent:planner' }] })
      session.emit('node.started', { nodeId: 'agent:planner', kind: 'agent', name: 'planner', instanceId: 'planner-1' })
      started.resolve(runId)
      await reaches.promise
      session.emit('node.started', { ...publish, parentId: 'agent:planner', parentInstanceId: 'planner-1' })
      session.emit('node.finished', { ...publish, status: 'ok', durationMs: 1, output: 'done' })
    })
    const page = await open(`/run/${await started.promise}?view=graph`)
    const box = (name: RegExp) => page.getByRole('region', { name: 'Graph' }).getByRole('button', { name })
    await box(/^tool publish, not reached$/).waitFor()
    await page.getByRole('button', { name: 'Hide what was not reached' }).click()
    await box(/^tool publish/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Hide what was not reached' }).click()
    // The box itself changes; it is not taken away and drawn anew.
    const grey = await box(/^tool publish, not reached$/).elementHandle()
    reaches.resolve()
    await box(/^tool publish, finished$/).waitFor()
    expect(await grey?.getAttribute('aria-label')).toBe('tool publish, finished')
    expect(await grey?.isVisible()).toBe(true)
    await ended
  })
})

describe('a program that goes', () => {
  it('leaves its run detached, with since when and why, and abandoned until another one goes on with it', async () => {
    // The run of a trace, which several programs may share.
    const runId = randomBytes(16).toString('hex')
    const session = await attach()
    const planner = { nodeId: 'agent:planner', kind: 'agent', name: 'planner', instanceId: 'planner-1' } as const
    session.emit('run.started', { app: 'traveller', sdk: { name: 'test', version: '1.0.0' } }, { runId })
    session.emit('node.started', planner, { runId })
    await eventually(async () => (await collector.runs()).find(({ id }) => id === runId), 'the run')
    const page = await open(`/run/${runId}`)
    await page.getByTitle('The agent’s control link is up.').getByText('Attached').waitFor()
    await session.dispose()
    await page
      .getByTitle(/control link is gone since \d/)
      .getByText('Detached')
      .first()
      .waitFor()
    await status(page, /Abandoned/)
    await page.getByText(/No end was seen.*Last heard/).waitFor()
    await page.getByRole('button', { name: 'agent planner, abandoned' }).waitFor()
    const other = await attach()
    other.emit('node.finished', { ...planner, status: 'ok', durationMs: 9, output: 'late' }, { runId })
    other.emit('node.started', { nodeId: 'tool:look', kind: 'tool', name: 'look', instanceId: 'look-1' }, { runId })
    await status(page, /Running/)
    await page.getByTitle('The agent’s control link is up.').getByText('Attached').waitFor()
    await page.getByRole('button', { name: 'tool look, running' }).waitFor()
    expect(await page.getByText(/No end was seen/).count()).toBe(0)
    other.emit('run.finished', { status: 'ok', durationMs: 10 }, { runId })
    await status(page, /Finished/)
  })
})

describe('a hold', () => {
  const book = { nodeId: 'tool:book', kind: 'tool', name: 'book', instanceId: 'book-1' } as const

  /** A run of one call that is held at its failure, and whose run ends with what the hold is ended with. */
  function failing(session: Session) {
    const started = Promise.withResolvers<string>()
    const ended = session.run('trip', async ({ runId }) => {
      session.emit('node.started', { ...book, input: { hotel: 1 } })
      started.resolve(runId)
      const decision = await session.gate('error', book, { input: { hotel: 1 }, error: new Error('sold out') })
      session.emit('node.error', { ...book, error: { name: 'Error', message: 'sold out' } })
      if (decision.action === 'abort') throw decision.reason
    })
    return { runId: started.promise, ended }
  }

  it.each<[string, (page: Page, pauseId: string) => Promise<unknown>, RegExp]>([
    [
      'a person in a viewer',
      async (page) => {
        await page.keyboard.press('Shift+F8')
        await page.getByRole('alertdialog').getByRole('button', { name: 'Abort run' }).click()
      },
      /^Aborted by a viewer$/,
    ],
    [
      'a person at the command line',
      async (_page, pauseId) => {
        const command = ['resume', pauseId, '--action', 'abort', '--operator', 'Ana', '--port', new URL(collector.url).port]
        const program = startProgram([join(root, 'collector', 'bin', 'graphmind.js'), ...command])
        expect(await program.exited, program.output()).toBe(0)
      },
      /^Aborted by Ana$/,
    ],
  ])('that ended the run names %s, also later', async (_who, abort, words) => {
    const { runId, ended } = failing(await attach())
    const id = await runId
    const page = await open(`/run/${id}`)
    await paused(page, /on an error in tool book/)
    const [pauseId] = (await collector.events(id)).flatMap((event) => (event.type === 'exec.paused' ? [Object(event.payload).pauseId] : []))
    await Promise.all([abort(page, pauseId), expect(ended).rejects.toThrow(/abort/i)])
    await status(page, /Aborted/)
    await page.getByRole('region', { name: 'Inspector' }).getByText(words).waitFor()
    // The collector's sums come a moment later.
    await page.getByRole('banner').getByText('1 error').waitFor()
    await reloadSame(page, 'when it was aborted')
  })

  it('that nobody ended names the time-out, and nobody', async () => {
    const { runId, ended } = failing(await attach({ pauseTimeoutMs: 50 }))
    await ended
    const page = await open(`/run/${await runId}`)
    const inspector = page.getByRole('region', { name: 'Inspector' })
    await inspector.getByText('Let go: the hold timed out').waitFor()
    expect(await inspector.getByText(/by a viewer|by you/).count()).toBe(0)
    await status(page, /Finished|Failed/)
  })
})
