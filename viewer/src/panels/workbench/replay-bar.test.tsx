import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { ReplayBar } from './replay-bar.tsx'

afterEach(cleanup)

const run = runFromText('agent planner 0-900\n  tool search 10-20')
const slider = () => screen.getByRole('slider', { name: 'Replay' })

it('stands at now until it is moved, and then asks for the run as it was', () => {
  const viewer = fakeViewer(run)
  const { history } = renderPanel(<ReplayBar />, viewer)
  expect(slider().getAttribute('aria-valuetext')).toBe('Now, event 5 of 5')
  fireEvent.change(slider(), { target: { value: '2' } })
  expect(history.at(-1)).toContain('asOf=2')
  expect(viewer.actions.replayTo).toHaveBeenLastCalledWith(2)
  expect(slider().getAttribute('aria-valuetext')).toMatch(/search, event 3 of 5$/)
  expect(screen.getByText(/^\+10 ms · .*search$/)).toBeTruthy()
})

it('goes back to now by its button, and by its last event', () => {
  const viewer = fakeViewer(run)
  const { history } = renderPanel(<ReplayBar />, viewer, 'asOf=2')
  fireEvent.click(screen.getByRole('button', { name: 'Now' }))
  expect(history.at(-1)).not.toContain('asOf')
  expect(viewer.actions.replayTo).toHaveBeenLastCalledWith(undefined)
  fireEvent.change(slider(), { target: { value: '1' } })
  fireEvent.change(slider(), { target: { value: '4' } })
  expect(history.at(-1)).not.toContain('asOf')
})

it('says in the past that a call waits now', () => {
  const viewer = fakeViewer(run, { runs: new Map([[RUN_ID, runInfo({ held: 1 })]]) })
  renderPanel(<ReplayBar />, viewer, 'asOf=2')
  expect(screen.getByTitle('A call waits now. Esc leads back to it.').textContent).toBe('Held now · ')
})

it('waits with the past until all of the history is there', () => {
  const viewer = fakeViewer(run, { run: openRun(run, { phase: 'loading' }) })
  renderPanel(<ReplayBar />, viewer, 'asOf=2')
  expect(viewer.actions.replayTo).not.toHaveBeenCalled()
})
