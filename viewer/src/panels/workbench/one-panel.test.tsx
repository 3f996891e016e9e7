import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../commands.ts'
import { RUN_PANELS } from '../../model/address.ts'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { giveSize } from '../../testing/give-size.ts'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { TopBar } from '../top-bar/top-bar.tsx'
import { WorkbenchPage } from './workbench-page.tsx'

beforeEach(() => {
  giveSize()
  // The graph is drawn without its layout: nobody answers what is asked of the thread that makes it.
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
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const run = runFromText('agent planner 0-900\n  tool search 10-20')
const FOUND_BY = { graph: 'Graph', timeline: 'Timeline', outline: 'Run outline', inspector: 'Inspector' } as const

it.each(RUN_PANELS)('shows the %s alone, with the way back to the whole run as it is', async (panel) => {
  renderPanel(<WorkbenchPage runId={RUN_ID} />, fakeViewer(run), `panel=${panel}&instance=search&look=list`)
  await screen.findByRole('region', { name: new RegExp(`^${FOUND_BY[panel]}`) })
  for (const [other, name] of Object.entries(FOUND_BY))
    if (other !== panel) expect(screen.queryByRole('region', { name: new RegExp(`^${name}`) })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Breakpoints' })).toBeNull()
  const back = screen.getByRole('link', { name: 'Show the whole run' }).getAttribute('href')
  expect(back).toContain('instance=search')
  expect(back).not.toContain('panel=')
})

it('opens in a tab of its own with what is shown now, and has no panels to switch on or off', () => {
  const viewer = fakeViewer(run)
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  const context = { ...viewer, address: { path: `/run/${RUN_ID}`, query: 'instance=search&asOf=3' }, navigate: vi.fn() }
  const command = (id: string) => COMMANDS.find((each) => each.id === id)
  expect(command('view.alone-timeline')?.unavailable(context)).toBeUndefined()
  command('view.alone-timeline')?.run(context)
  expect(opened).toHaveBeenCalledWith(`/run/${RUN_ID}?instance=search&panel=timeline&asOf=3`, '_blank', 'noopener')
  const alone = { ...context, address: { path: context.address.path, query: 'panel=timeline' } }
  expect(command('view.outline')?.unavailable(alone)).toBe('One panel is shown alone. Show the whole run first.')
  renderPanel(<TopBar />, viewer, 'panel=timeline')
  expect(screen.queryByRole('button', { name: /^Outline/ })).toBeNull()
  command('view.both')?.run(alone)
  expect(context.navigate).toHaveBeenLastCalledWith(`/run/${RUN_ID}?view=both`, { replace: true })
})
