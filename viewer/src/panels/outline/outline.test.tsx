import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { giveSize } from '../../testing/give-size.ts'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { Outline } from './outline.tsx'

beforeEach(giveSize)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const run = runFromText(`
  agent planner  0-
    llm draft    10-300
    tool search  310-450 error
  tool notify    500-510`)

const lines = () => screen.getAllByRole('treeitem').map((line) => line.getAttribute('aria-label'))
const tree = () => screen.getByRole('tree', { name: 'Run outline' })

it('lists what ran in order of start, under what called it, with its state', () => {
  renderPanel(<Outline />, fakeViewer(run))
  expect(lines()).toEqual([
    expect.stringMatching(/^planner .*agent, running$/),
    expect.stringMatching(/^draft .*290 ms, llm, finished$/),
    expect.stringMatching(/^search .*140 ms, tool, failed$/),
    expect.stringMatching(/^notify .*10 ms, tool, finished$/),
  ])
  expect(screen.getAllByRole('treeitem').map((line) => line.getAttribute('aria-level'))).toEqual(['1', '2', '2', '1'])
})

it('marks the call that was let go for a step, and only while agents hold at every point', () => {
  const stepped = runFromText('tool search 0- paused:10-20')
  renderPanel(<Outline />, fakeViewer(stepped, { mode: 'step' }))
  expect(lines()).toEqual([expect.stringMatching(/^search .*tool, step$/)])
  cleanup()
  renderPanel(<Outline />, fakeViewer(stepped))
  expect(lines()).toEqual([expect.stringMatching(/^search .*tool, running$/)])
})

it('puts what names a caller that has not arrived under a heading, which keys pass over', () => {
  const lost = runFromText('agent planner 0-90\ntool search 10-20 under:nobody\ntool book 30-40 under:nobody')
  const { history } = renderPanel(<Outline />, fakeViewer(lost), 'instance=planner1')
  const titles = screen.getAllByRole('treeitem').map((line) => `${line.getAttribute('aria-level')} ${line.textContent}`)
  expect(titles).toEqual([
    expect.stringMatching(/^1 planner/),
    '1 Parent not received 2',
    expect.stringMatching(/^2 search/),
    expect.stringMatching(/^2 book/),
  ])
  fireEvent.keyDown(tree(), { key: 'ArrowDown' })
  expect(history.at(-1)).toContain('instance=search1')
  fireEvent.keyDown(tree(), { key: 'ArrowUp' })
  expect(history.at(-1)).toContain('instance=planner1')
  cleanup()
  const only = renderPanel(<Outline />, fakeViewer(runFromText('tool search 10-20 under:nobody')))
  fireEvent.keyDown(tree(), { key: 'Home' })
  expect(only.history.at(-1)).toContain('instance=search1')
})

it('folds and opens a call by keyboard, and selects the next line', () => {
  const { history } = renderPanel(<Outline />, fakeViewer(run), 'instance=planner1')
  fireEvent.keyDown(tree(), { key: 'ArrowLeft' })
  expect(lines().map((line) => line?.split(' ')[0])).toEqual(['planner', 'notify'])
  fireEvent.keyDown(tree(), { key: 'ArrowDown' })
  expect(history.at(-1)).toContain('instance=notify1')
  fireEvent.keyDown(tree(), { key: 'Home' })
  fireEvent.keyDown(tree(), { key: 'ArrowRight' })
  expect(lines()).toHaveLength(4)
})

it('selects the line that is clicked', () => {
  const { history } = renderPanel(<Outline />, fakeViewer(run))
  fireEvent.click(screen.getByRole('treeitem', { name: /^search/ }))
  expect(history.at(-1)).toContain('instance=search1')
  expect(screen.getByRole('treeitem', { selected: true }).getAttribute('aria-label')).toMatch(/^search/)
})

it('says of an abandoned run that nobody saw its calls end', () => {
  renderPanel(<Outline />, fakeViewer(run, { runs: new Map([[RUN_ID, runInfo({ status: 'abandoned' })]]) }))
  expect(lines()[0]).toBe('planner, agent, abandoned')
})

it('says what would fill it while nothing has started', () => {
  const empty = runFromText('')
  renderPanel(<Outline />, fakeViewer(empty))
  expect(screen.getByText('Nothing has started yet. Each step shows up here when it starts.')).toBeTruthy()
  cleanup()
  renderPanel(<Outline />, fakeViewer(empty, { run: openRun(empty, { phase: 'loading' }) }))
  expect(screen.getByText('Loading the run…')).toBeTruthy()
})
