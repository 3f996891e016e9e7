import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { fakeViewer } from '../../testing/fake-viewer.tsx'
import { giveSize } from '../../testing/give-size.ts'
import { runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { ViewerProvider } from '../../ui/viewer-context.tsx'
import ComparePage from './compare-page.tsx'

const call = (id: string, name: string, startedAt: number, durationMs: number) => ({
  ...{ id, kind: 'tool', nodeId: `tool:${name}`, name, status: 'ok', startedAt, durationMs },
})
const side = (id: string, name: string, durationMs: number) => ({
  run: runInfo({ id, name, eventCount: 5 }),
  totals: { instances: 3, errors: 0, durationMs },
})
const COMPARISON = {
  left: side('l', 'left run', 400),
  right: side('r', 'right run', 900),
  delta: { durationMs: 500, errors: 0 },
  isSame: false,
  rows: [
    { verdict: 'same', depth: 0, left: call('l1', 'plan', 0, 400), right: call('r1', 'plan', 9000, 900), changes: [], delta: {} },
    { verdict: 'same', depth: 1, left: call('l2', 'clock', 10, 5), right: call('r2', 'clock', 9010, 5), changes: [], delta: {} },
    {
      ...{ verdict: 'changed', depth: 1, left: call('l3', 'search', 20, 100), right: call('r3', 'search', 9020, 600) },
      ...{ changes: ['input'], delta: { durationMs: 500 } },
    },
    { verdict: 'right-only', depth: 1, right: call('r4', 'book', 9700, 50) },
  ],
}

let answer: () => Response
beforeEach(() => {
  answer = () => Response.json(COMPARISON)
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.startsWith('/api/compare')) return answer()
    return Response.json({ input: { q: path.includes('/l/') ? 'Lisbon' : 'Oslo' }, output: 1, error: null })
  })
  giveSize()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function compared(query = '') {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  const location = memoryLocation({ path: `/compare/l/r${query}`, record: true })
  render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <ViewerProvider viewer={viewer}>
        <ComparePage />
      </ViewerProvider>
    </Router>,
  )
  return { viewer, address: () => location.history.at(-1) }
}
const rows = () =>
  within(screen.getByRole('treegrid', { name: 'Steps of both runs' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.getAttribute('data-verdict'))

it('shows both runs row by row with what differs, and only that when asked to', async () => {
  const { address } = compared()
  await screen.findByRole('treegrid')
  expect(rows()).toEqual(['same', 'same', 'changed', 'right-only'])
  expect(screen.getByRole('table', { name: 'Totals' }).textContent).toContain('+500 msslower')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Only differences' }))
  expect(address()).toBe('/compare/l/r?only=1')
  // The caller of a difference stays.
  expect(rows()).toEqual(['same', 'changed', 'right-only'])
  expect(screen.getByText('3 rows of 4')).toBeTruthy()
})

it('opens both calls of a row with Enter, and keeps the pair when the sides are swapped', async () => {
  const { address } = compared()
  const grid = await screen.findByRole('treegrid')
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) fireEvent.keyDown(grid, { key })
  expect(address()).toBe('/compare/l/r?left=l3&right=r3')
  await screen.findByRole('region', { name: 'Difference' })
  fireEvent.click(screen.getByRole('button', { name: /^Swap sides/ }))
  expect(address()).toBe('/compare/r/l?left=r3&right=l3')
})

it('puts both runs on one time scale, or makes each as wide as the other', async () => {
  const { address } = compared()
  await screen.findByRole('treegrid')
  const widths = () => [...document.querySelectorAll<HTMLElement>('[data-row="0"] [data-state]')].map(({ style }) => style.width)
  expect(widths()).toEqual(['44.44444444444444%', '100%'])
  fireEvent.click(screen.getByRole('radio', { name: /Each/ }))
  expect(address()).toBe('/compare/l/r?scale=each')
  expect(widths()).toEqual(['100%', '100%'])
})

it('says that a run went on since, and compares again', async () => {
  const { viewer } = compared()
  await screen.findByRole('treegrid')
  act(() => viewer.store.setState({ runs: new Map([['r', runInfo({ id: 'r', eventCount: 9 })]]) }))
  answer = () => Response.json({ ...COMPARISON, isSame: true, rows: COMPARISON.rows.slice(0, 2) })
  fireEvent.click(await screen.findByRole('button', { name: 'Compare again' }))
  await screen.findByText('Both runs did the same.')
})

it('says why two runs can’t be compared, and that all is the same where only differences are wanted', async () => {
  answer = () => Response.json({ error: 'There is no run r.' }, { status: 404 })
  compared('?only=1')
  expect((await screen.findByRole('alert')).textContent).toContain('There is no run r.')
  answer = () => Response.json({ ...COMPARISON, isSame: true, rows: COMPARISON.rows.slice(0, 2) })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show all 2 rows' }))
  await waitFor(() => expect(rows()).toEqual(['same', 'same']))
})
