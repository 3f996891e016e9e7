import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { serverFacts } from '../../testing/server-facts.ts'
import { StoreBanner } from './store-banner.tsx'

let store: object
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async () => Response.json(serverFacts({ store })))
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const FINE = { path: 'runs.db', bytes: 1, diskFreeBytes: 1, problem: null, warning: null }
/** Lets the next question be asked and answered. */
const later = () => act(() => vi.advanceTimersByTimeAsync(5000))

it('says that nothing is stored for as long as that is so', async () => {
  store = FINE
  renderPanel(<StoreBanner />, fakeViewer(runFromText('tool search 0-10')))
  await later()
  expect(screen.queryByRole('alert')).toBeNull()
  store = { ...FINE, problem: 'The disk is full. Make room on it.' }
  await later()
  expect(screen.getByRole('alert').textContent).toBe('Nothing new is stored. The disk is full. Make room on it.')
  store = FINE
  await later()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('lets a warning be put away, and shows another one', async () => {
  store = { ...FINE, warning: { code: 'near-limit', message: 'Nearly full.' } }
  renderPanel(<StoreBanner />, fakeViewer(runFromText('tool search 0-10')))
  await later()
  expect(screen.getByRole('status', { name: 'Store' }).textContent).toContain('Nearly full.')
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  await later()
  expect(screen.queryByRole('status', { name: 'Store' })).toBeNull()
  store = { ...FINE, warning: { code: 'low-disk', message: 'The disk has 3 MB left.' } }
  await later()
  expect(screen.getByRole('status', { name: 'Store' }).textContent).toContain('3 MB left')
})
