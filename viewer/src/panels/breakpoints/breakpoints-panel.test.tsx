import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { BreakpointToggle } from './breakpoint-toggle.tsx'
import { BreakpointsPanel } from './breakpoints-panel.tsx'

afterEach(cleanup)
const run = runFromText('tool search 0-10')

it('shows the three everyone needs as switches, and the others in words', () => {
  renderPanel(<BreakpointsPanel />, fakeViewer(run, { breakpoints: [{ point: 'error' }, { kind: 'tool', name: 'search' }] }))
  expect(screen.getByRole('switch', { name: 'Break on error' }).getAttribute('aria-checked')).toBe('true')
  expect(screen.getByRole('switch', { name: 'Break before any tool' }).getAttribute('aria-checked')).toBe('false')
  expect(screen.getByText('before tool search')).toBeTruthy()
})

it('sets and clears for everyone, and clears the very matcher that was set', () => {
  const viewer = fakeViewer(run, { breakpoints: [{ kind: 'llm' }, { name: 'search' }] })
  renderPanel(<BreakpointsPanel />, viewer)
  fireEvent.click(screen.getByRole('switch', { name: 'Break before any tool' }))
  expect(viewer.actions.setBreakpoint).toHaveBeenCalledExactlyOnceWith({ kind: 'tool', point: 'before' })
  fireEvent.click(screen.getByRole('switch', { name: 'Break before any model call' }))
  expect(viewer.actions.clearBreakpoint).toHaveBeenLastCalledWith({ kind: 'llm' })
  fireEvent.click(screen.getByRole('button', { name: 'Remove the breakpoint before anything named search' }))
  expect(viewer.actions.clearBreakpoint).toHaveBeenLastCalledWith({ name: 'search' })
})

it('toggles one at a node, and says when it can’t hold there', () => {
  const viewer = fakeViewer(run)
  renderPanel(<BreakpointToggle kind="tool" name="search" ungated="its caller does not wait" />, viewer)
  const toggle = screen.getByRole('button', { name: 'Break before tool search' })
  expect(toggle.getAttribute('aria-pressed')).toBe('false')
  expect(toggle.title).toContain('its caller does not wait')
  fireEvent.click(toggle)
  expect(viewer.actions.setBreakpoint).toHaveBeenCalledExactlyOnceWith({ kind: 'tool', name: 'search', point: 'before' })
})

it('keeps what was written of a breakpoint where the panel is drawn anew, as it is when the window gets narrow', () => {
  const viewer = fakeViewer(run)
  renderPanel(<BreakpointsPanel />, viewer)
  fireEvent.click(screen.getByRole('button', { name: 'New breakpoint' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'sea*' } })
  cleanup()
  renderPanel(<BreakpointsPanel />, viewer)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('sea*')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
})
