import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import Graph from './graph.tsx'

beforeEach(() => {
  localStorage.clear()
  // The list needs no layout, so nobody answers what is asked of the thread that makes it.
  vi.stubGlobal(
    'Worker',
    class {
      addEventListener = vi.fn()
      postMessage = vi.fn()
      terminate = vi.fn()
    },
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const run = runFromText(`
  agent planner  0-
    tool search  10-20
    tool search  30-40
    tool book    50- waits:60
  hint tool publish`)

const nodes = () => within(screen.getByRole('list', { name: 'Nodes of the graph' })).getAllByRole('button')
const words = () => nodes().map((node) => node.textContent)

it('as a list names every node with its calls and its state, and how deep it stands', () => {
  renderPanel(<Graph />, fakeViewer(run), 'look=list')
  expect(words()).toEqual([
    expect.stringMatching(/planner.*agent planner.*running.*level 1/),
    expect.stringMatching(/search×2.*tool search.*level 2/),
    expect.stringMatching(/book.*tool book.*paused.*level 2/),
    expect.stringMatching(/publish.*not reached.*level 1/),
  ])
})

it('leaves out what was only announced when asked', () => {
  renderPanel(<Graph />, fakeViewer(run), 'look=list.reached')
  expect(words().some((line) => line?.includes('publish'))).toBe(false)
})

it('selects the last call of a node, and marks the node', () => {
  const { history } = renderPanel(<Graph />, fakeViewer(run), 'look=list')
  fireEvent.click(screen.getByRole('button', { name: /tool search/ }))
  expect(history.at(-1)).toContain('instance=search2')
  expect(screen.getByRole('button', { pressed: true }).textContent).toContain('search')
})

it('says of a node that a breakpoint stands before it', () => {
  renderPanel(<Graph />, fakeViewer(run, { breakpoints: [{ kind: 'tool', name: 'search', point: 'before' }] }), 'look=list')
  expect(screen.getByRole('button', { name: /tool search.*breakpoint before/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /tool book.*breakpoint before/ })).toBeNull()
})

it('shows nothing as running of a run that was abandoned', () => {
  renderPanel(<Graph />, fakeViewer(run, { runs: new Map([[RUN_ID, runInfo({ status: 'abandoned' })]]) }), 'look=list')
  expect(words()[0]).toMatch(/abandoned/i)
})

it('goes back to the drawn graph when asked', () => {
  const { history } = renderPanel(<Graph />, fakeViewer(run), 'look=list')
  fireEvent.click(screen.getByRole('button', { name: 'Show as graph' }))
  expect(history.at(-1)).not.toMatch(/look=.*list/)
  expect(screen.getByRole('button', { name: 'As list' })).toBeTruthy()
})

it('opens what a large graph gathers, and closes it again', () => {
  const tools = Array.from({ length: 400 }, (_, at) => `  tool t${at} ${at}-${at + 1}`)
  renderPanel(<Graph />, fakeViewer(runFromText(`agent planner 0-500\n${tools.join('\n')}`)), 'look=list')
  expect(nodes()).toHaveLength(121)
  const pile = screen.getByRole('button', { name: /281 more nodes near agent planner/, expanded: false })
  pile.focus()
  fireEvent.click(pile)
  expect(nodes()).toHaveLength(401)
  expect(screen.queryByRole('button', { name: /more nodes/ })).toBeNull()
  expect(document.activeElement?.textContent).toContain('planner')
  fireEvent.click(screen.getByRole('button', { name: 'Show as graph' }))
  expect(screen.getByText(/^401 of 401 nodes$/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(screen.getByText('120 of 401 nodes', { exact: false })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy()
})
