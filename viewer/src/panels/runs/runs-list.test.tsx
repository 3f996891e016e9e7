import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../commands.ts'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { Toast } from '../toast/toast.tsx'
import { RunsEmpty } from './runs-empty.tsx'
import { SavedFilters } from './saved-filters.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const run = runFromText('tool search 0-10')

it('keeps a filter under a name, over a reload, and forgets it when told to', () => {
  const show = vi.fn()
  const filters = <SavedFilters filter="cost:>1" sort="-cost" isSound show={show} />
  renderPanel(filters, fakeViewer(run))
  fireEvent.click(screen.getByRole('button', { name: 'Save filter' }))
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of the filter' })
  name.value = 'dear ones'
  fireEvent.keyDown(name, { key: 'Enter' })
  cleanup()
  renderPanel(<SavedFilters filter="" sort="-started" isSound show={show} />, fakeViewer(run))
  fireEvent.click(screen.getByRole('button', { name: 'dear ones' }))
  expect(show).toHaveBeenCalledExactlyOnceWith('cost:>1', '-cost')
  fireEvent.click(screen.getByRole('button', { name: 'Forget the filter dear ones' }))
  expect(screen.queryByRole('button', { name: 'dear ones' })).toBeNull()
})

it('says of an empty list why it is empty and what would fill it', () => {
  const clearFilter = vi.fn()
  const acts = { readAgain: () => undefined, clearFilter, showOther: () => undefined }
  const plain = { isReading: false, isUnderstood: true, problem: undefined, filter: 'name:x', hidden: 214, hiddenOther: 0, ...acts }
  const viewer = fakeViewer(run)
  const text = (change: Partial<Parameters<typeof RunsEmpty>[0]>) => {
    cleanup()
    return renderPanel(<RunsEmpty {...plain} {...change} />, viewer).container.textContent
  }
  expect(text({})).toContain('Clear filter · 214 hidden')
  fireEvent.click(screen.getByRole('button', { name: /Clear filter/ }))
  expect(clearFilter).toHaveBeenCalledOnce()
  expect(text({ isUnderstood: false })).toContain('can’t be read')
  expect(text({ problem: 'The collector can’t be reached.' })).toContain('Read again')
  expect(text({ filter: '' })).toContain('No run is left here')
  expect(text({ filter: '', hiddenOther: 3 })).toContain('Show other traffic · 3 hidden')
})

it('offers the way back after a deletion, by button and by key, and says what could not be deleted', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path}`)
    if (path.endsWith('/busy')) return Response.json({ error: 'The run is held. Let it go on first.' }, { status: 409 })
    return Response.json(method === 'DELETE' ? { runId: 'done', restorableUntil: 1 } : runInfo({ id: 'done' }))
  })
  const viewer = fakeViewer(run)
  const runs = [runInfo({ id: 'done', name: 'done' }), runInfo({ id: 'busy', name: 'busy' })]
  const rows = {
    chosen: () => runs,
    toggle: () => undefined,
    selectAll: () => undefined,
    selectNone: () => undefined,
    edit: () => undefined,
  }
  const runsScreen = { find: () => undefined, active: () => true, move: () => undefined, open: () => undefined, runs: rows }
  viewer.workbench.setState({ runsScreen })
  renderPanel(<Toast />, viewer)
  const perform = (id: string) =>
    COMMANDS.find((command) => command.id === id)?.run({ ...viewer, address: { path: '/', query: '' }, navigate: () => undefined })
  perform('runs.delete')
  expect((await screen.findByText(/Deleted done/)).textContent).toBe('Deleted done. busy: The run is held. Let it go on first.')
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('Brought back done.')
  expect(asked).toEqual(['DELETE /api/runs/done', 'DELETE /api/runs/busy', 'POST /api/runs/done/restore'])
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})
