import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { ModeSwitch } from './mode-switch.tsx'

afterEach(cleanup)

const choice = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })

it('shows the mode that the collector tells, and asks for the other one', () => {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  renderPanel(<ModeSwitch />, viewer)
  expect([choice('Run').checked, choice('Step').checked]).toEqual([true, false])
  fireEvent.click(choice('Step'))
  expect(viewer.actions.setMode).toHaveBeenCalledExactlyOnceWith('step')
  act(() => viewer.store.setState({ mode: 'step' }))
  expect([choice('Run').checked, choice('Step').checked]).toEqual([false, true])
})

it('ends the step mode that a Step had switched on', () => {
  const viewer = fakeViewer(runFromText('tool search 0-10'), { mode: 'step' })
  viewer.workbench.setState({ stepping: true })
  renderPanel(<ModeSwitch />, viewer)
  fireEvent.click(choice('Run'))
  expect(viewer.actions.setMode).toHaveBeenCalledExactlyOnceWith('run')
  expect(viewer.workbench.getState().stepping).toBe(false)
})

it('changes nothing without a link', () => {
  renderPanel(<ModeSwitch />, fakeViewer(runFromText('tool search 0-10'), { link: { phase: 'connecting', attempt: 1 } }))
  expect(screen.getByRole<HTMLFieldSetElement>('group', { name: 'Mode' }).disabled).toBe(true)
})
