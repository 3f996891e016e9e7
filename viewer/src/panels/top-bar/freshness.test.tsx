import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { ViewerState } from '../../link/viewer-state.ts'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { Freshness } from './freshness.tsx'

afterEach(cleanup)

const run = runFromText('tool search 0-10')
const soon = () => Date.now() + 60_000

it.each<[string, () => Partial<ViewerState>]>([
  ['Live', () => ({})],
  ['Behind 3 s', () => ({ behind: { ms: 3400, until: soon() } })],
  // What was told of a delay is over after a while.
  ['Live', () => ({ behind: { ms: 3400, until: Date.now() - 1000 } })],
  ['Connecting', () => ({ link: { phase: 'connecting', attempt: 0 }, behind: { ms: 3400, until: soon() } })],
  ['Offline, next try in \\d+ s', () => ({ link: { phase: 'offline', attempt: 1, retryAt: soon() } })],
  ['Catching up 12k/72k', () => ({ history: { done: 12_000, total: 72_000 }, behind: { ms: 3400, until: soon() } })],
  ['Replaying', () => ({ run: openRun(run, { asOf: { seq: 1, at: 0 } }), behind: { ms: 3400, until: soon() } })],
  ['Detached', () => ({ runs: new Map([[RUN_ID, runInfo({ live: false, detachedSince: Date.now() })]]) })],
  // A program that never had a control link is not gone.
  ['Live', () => ({ runs: new Map([[RUN_ID, runInfo({ live: false })]]) })],
  ['Live· 2 unreadable', () => ({ unreadable: 2 })],
])('says %s', (words, state) => {
  renderPanel(<Freshness />, fakeViewer(run, state()))
  expect(screen.getByTitle(/^The link to the collector\./).textContent).toMatch(new RegExp(`^${words}$`))
})
