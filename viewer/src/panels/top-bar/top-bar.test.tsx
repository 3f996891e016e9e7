import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { TopBar } from './top-bar.tsx'

afterEach(cleanup)

it('tells of a run whose history still arrives what the collector sums up, not what the first events say', () => {
  const beginning = runFromText('tool convert 30- waits:40 at:error')
  const viewer = fakeViewer(beginning, {
    runs: new Map([[RUN_ID, runInfo({ status: 'running', held: 0, stepCount: 72_000 })]]),
    run: openRun(beginning, { phase: 'loading' }),
  })
  renderPanel(<TopBar />, viewer)
  expect(screen.getByText('72k steps')).toBeTruthy()
  expect(screen.getByRole('status', { name: 'Run status' }).textContent).toBe('Running')
  act(() => viewer.store.setState({ run: openRun(beginning) }))
  expect(screen.getByText('1 step')).toBeTruthy()
  expect(screen.getByRole('status', { name: 'Run status' }).textContent).toBe('Paused')
})

it('tells how many calls failed, also of a run that ended well', () => {
  const run = runFromText('agent planner  0-90')
  renderPanel(<TopBar />, fakeViewer(run, { runs: new Map([[RUN_ID, runInfo({ status: 'ok', errorCount: 2 })]]) }))
  expect(screen.getByText('2 errors')).toBeTruthy()
  expect(screen.getByRole('status', { name: 'Run status' }).textContent).toBe('Finished')
})
