import type { PausePicture } from '@graphmind-ai/schema'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { Inspector } from './inspector.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const section = () => within(screen.getByRole('region', { name: 'Why it waits' }))

/** Draws the inspector on the call that waits, with its pause changed as told. */
function waitingFor(change: Partial<PausePicture>, at = '') {
  const run = runFromText(`
  agent planner    0-
    tool search    10-20
    tool book      30-40 error
    tool search    50-   waits:60 ${at}`)
  const [pause] = run.picture.pauses.values()
  if (pause === undefined) throw new Error('Nothing waits.')
  run.picture.pauses.set(pause.pauseId, { ...pause, ...change })
  const viewer = fakeViewer(run)
  return { ...renderPanel(<Inspector />, viewer, 'instance=search2'), viewer }
}

it('runs a failed call again from its error, where that can be done', () => {
  const { viewer } = waitingFor({ reason: 'error', actions: ['continue', 'retry', 'abort'] }, 'at:error')
  fireEvent.click(section().getByRole('button', { name: 'Retry' }))
  expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith('search2-pause1', { action: 'retry' })
  cleanup()
  waitingFor({ reason: 'error', actions: ['continue', 'abort'] }, 'at:error')
  expect(section().queryByRole('button', { name: 'Retry' })).toBeNull()
})

it('offers no retry of a hold whose release may still be on its way, while the history of the run arrives', () => {
  const held = { reason: 'error', actions: ['continue', 'retry', 'abort'] } as const
  const { viewer } = waitingFor(held, 'at:error')
  const { run } = viewer.store.getState()
  if (run === undefined) throw new Error('No run is open.')
  act(() => viewer.store.setState({ run: { ...run, phase: 'loading' } }))
  expect(section().queryByRole('button', { name: 'Retry' })).toBeNull()
  act(() => viewer.store.setState({ run: { ...run, phase: 'ready' } }))
  expect(section().getByRole('button', { name: 'Retry' })).toBeTruthy()
})

const LOOP = { repeats: 3, firstSeq: 1, lastSeq: 9, fingerprint: 'f', instanceIds: ['search1', 'book1'] }

it('shows a lap of the circle that the agent goes round in, and leads to its calls', () => {
  const { history } = waitingFor({ reason: 'loop', loop: { ...LOOP, kind: 'cycle', period: 2, laps: 3 } })
  expect(section().getByText(/same 2 calls came 3 times with the same inputs and results/)).toBeTruthy()
  expect(section().getByText('Error: book broke')).toBeTruthy()
  fireEvent.click(section().getByRole('button', { name: 'Call 2' }))
  expect(history.at(-1)).toContain('instance=book1')
})

it('shows the failures of a tool that keeps failing in the same way', () => {
  waitingFor({ reason: 'loop', loop: { ...LOOP, kind: 'error-repeat', instanceIds: ['book1'] } })
  expect(section().getByText(/keeps failing in the same way/)).toBeTruthy()
  expect(section().getByRole('button', { name: 'Failure 1' })).toBeTruthy()
})

it('says that it was the tool’s own result that speaks of a failure, also at an error', () => {
  const smart = { rule: 'error-result', detail: 'Its isError is true.' }
  waitingFor({ reason: 'breakpoint', point: 'after', smart })
  expect(section().getByText(/The tool’s result says that it failed\. Its isError is true\./)).toBeTruthy()
  cleanup()
  waitingFor({ reason: 'breakpoint', smart }, 'at:error')
  expect(section().getByText(/The tool’s result says that it failed\./)).toBeTruthy()
  expect(section().getByText(/The agent has not seen the error yet/)).toBeTruthy()
})
