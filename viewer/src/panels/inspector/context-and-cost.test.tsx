import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PRICE_SOURCE } from '../../model/estimate.ts'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { setEstimates } from '../../ui/workbench.ts'
import { ContextAndCost } from './context-and-cost.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

it('tells an estimate from a reported cost, with the table it is from, until the reader wants none', async () => {
  const run = runFromText('llm draft 0-100 in:1000 out:100')
  const [drawn] = run.picture.instances.values()
  if (drawn === undefined) throw new Error('one call was drawn')
  const instances = new Map([
    ['known', { ...drawn, id: 'known', model: 'gpt-4o-mini', provider: 'openai' }],
    ['strange', { ...drawn, id: 'strange', model: 'trip-planner-1' }],
  ])
  const viewer = fakeViewer(run)
  renderPanel(<ContextAndCost picture={{ ...run.picture, instances }} pulse={1} />, viewer)
  await screen.findByRole('columnheader', { name: 'Estimated' })
  const cells = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent))
  expect(cells()).toEqual([
    ['gpt-4o-mini', '1', '1k', '—', '100', 'unknown', '≈ $0.00021'],
    ['trip-planner-1', '1', '1k', '—', '100', 'unknown', '—'],
  ])
  expect(screen.getByText(/yours may differ/).textContent).toContain(PRICE_SOURCE)
  act(() => setEstimates(viewer.workbench, false))
  expect(screen.queryByRole('columnheader', { name: 'Estimated' })).toBeNull()
  expect(screen.queryByText(/yours may differ/)).toBeNull()
})
