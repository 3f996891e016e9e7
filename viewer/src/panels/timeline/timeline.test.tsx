import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { giveSize } from '../../testing/give-size.ts'
import { runFromText } from '../../testing/run-from-text.ts'
import Timeline from './timeline.tsx'

beforeEach(giveSize)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const run = runFromText(`
  agent planner  0-900
    llm draft    10-300
    tool search  310-450 error
    tool book    460-880 paused:500-700`)
const alike = runFromText(
  ['  agent planner 0-900', ...Array.from({ length: 8 }, (_, at) => `    tool search ${at * 100}-${at * 100 + 50}`)].join('\n'),
)

const grid = () => screen.getByRole('treegrid', { name: 'Timeline' })
const rows = () => within(grid()).getAllByRole('row')
const labels = () => rows().map((row) => within(row).getAllByRole('gridcell')[0]?.getAttribute('aria-label'))

it('has a line for each call in the order of the tree, with the time it was held told apart', () => {
  renderPanel(<Timeline />, fakeViewer(run))
  expect(labels()).toEqual([
    'agent planner, finished, 700 ms, held 200 ms',
    'llm draft, finished, 290 ms',
    'tool search, failed, 140 ms',
    'tool book, finished, 220 ms, held 200 ms',
  ])
  expect(rows().map((row) => row.getAttribute('aria-level'))).toEqual(['1', '2', '2', '2'])
})

it('puts what names a caller that has not arrived under a heading, which selects nothing', () => {
  const lost = runFromText('agent planner 0-90\ntool search 10-20 under:nobody')
  const { history } = renderPanel(<Timeline />, fakeViewer(lost))
  expect(labels()).toEqual(['agent planner, finished, 90 ms', 'Parent not received 1 call', 'tool search, finished, 10 ms'])
  expect(rows().map((row) => row.getAttribute('aria-level'))).toEqual(['1', '1', '2'])
  // What is read aloud holds what is seen (WCAG 2.5.3).
  expect(screen.getByRole('gridcell', { name: /^Parent not received/ }).textContent).toBe('Parent not received 1')
  fireEvent.click(screen.getByRole('row', { name: /Parent not received/ }))
  expect(history.at(-1)).not.toContain('instance=')
  fireEvent.keyDown(grid(), { key: 'ArrowDown' })
  expect(history.at(-1)).toContain('instance=search1')
})

it('folds many calls of one kind to a line, which opens by keyboard', () => {
  renderPanel(<Timeline />, fakeViewer(alike))
  expect(rows()).toHaveLength(2)
  fireEvent.keyDown(grid(), { key: 'End' })
  fireEvent.keyDown(grid(), { key: 'ArrowRight' })
  expect(rows()).toHaveLength(10)
})

it('finds calls by name, goes from one to the next, and leaves out the others when asked', () => {
  const { history } = renderPanel(<Timeline />, fakeViewer(run))
  const find = screen.getByRole('searchbox', { name: 'Find a step' })
  fireEvent.change(find, { target: { value: 'book' } })
  fireEvent.keyDown(find, { key: 'Enter' })
  expect(history.at(-1)).toMatch(/instance=book1.*find=book/)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Only matches' }))
  expect(labels()).toEqual(['tool book, finished, 220 ms, held 200 ms'])
  fireEvent.change(find, { target: { value: 'nobody' } })
  expect(screen.getByText('Nothing matches. Switch off “Only matches” to see everything.')).toBeTruthy()
})

it('selects a call by click and by arrow', () => {
  const { history } = renderPanel(<Timeline />, fakeViewer(run))
  fireEvent.click(screen.getByRole('row', { name: /draft/ }))
  expect(history.at(-1)).toContain('instance=draft1')
  fireEvent.keyDown(grid(), { key: 'ArrowDown' })
  expect(history.at(-1)).toContain('instance=search1')
})
