import { breakpointId } from '@graphmind-ai/schema'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { giveSize } from '../../testing/give-size.ts'
import { runFromText } from '../../testing/run-from-text.ts'
import { Outline } from '../outline/outline.tsx'
import Timeline from '../timeline/timeline.tsx'
import { BreakpointToggle } from './breakpoint-toggle.tsx'
import { BreakpointsPanel } from './breakpoints-panel.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})
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

it.each([
  [{ status: 'active', hits: 0 }, 'Active'],
  [{ status: 'active', hits: 2 }, '2 hits'],
  [{ status: 'active', hits: 1, reason: 'not in worker-2' }, '1 hit · not in worker-2'],
  [{ status: 'waiting', hits: 0, reason: 'none is connected' }, 'Waiting for an agent: none is connected'],
  [{ status: 'impossible', hits: 0, reason: 'the agent can’t pause' }, 'Not possible here: the agent can’t pause'],
  [{ status: 'failed', hits: 0, lastError: 'input.q is no text' }, 'Condition failed: input.q is no text'],
  [{ status: 'disabled', hits: 3 }, 'Switched off'],
] as const)('says of a breakpoint that is %j: %s', (state, words) => {
  const matcher = { id: 'b1', name: 'search' }
  renderPanel(
    <BreakpointsPanel />,
    fakeViewer(run, { breakpoints: [matcher], breakpointStates: new Map([[breakpointId(matcher), state]]) }),
  )
  expect(screen.getByText(words)).toBeTruthy()
})

it('lights in the outline and the timeline the calls that a breakpoint being written would have held', async () => {
  giveSize()
  const viewer = fakeViewer(runFromText('tool search 0-10\ntool book 20-30\ntool search 40-50'))
  renderPanel(
    <>
      <BreakpointsPanel />
      <Outline />
      <Timeline />
    </>,
    viewer,
  )
  const lit = (role: string) => screen.getAllByRole(role).map((row) => row.getAttribute('data-lit'))
  fireEvent.click(screen.getByRole('button', { name: 'New breakpoint' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'sea*' } })
  await waitFor(() => expect(lit('treeitem')).toEqual(['true', 'false', 'true']))
  expect(lit('row')).toEqual(['true', 'false', 'true'])
  expect(screen.getByText(/Would have matched/).textContent).toContain('2 of 3 here')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(lit('treeitem')).toEqual(['false', 'false', 'false'])
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
