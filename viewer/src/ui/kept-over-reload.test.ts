import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FULL_STORAGE } from '../testing/full-storage.ts'
import { keepOverReload } from './kept-over-reload.ts'
import { createWorkbench } from './workbench.ts'

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.restoreAllMocks())

const reloaded = () => {
  const workbench = createWorkbench()
  keepOverReload(workbench, sessionStorage)
  return workbench
}

it('keeps an open editor and the call it is for over a reload, and a closed one closed', () => {
  const editor = { pauseId: 'p 1', kind: 'edit' } as const
  reloaded().setState({ editor })
  const again = reloaded()
  expect(again.getState()).toMatchObject({ editor, waiterId: 'p 1' })
  again.setState({ editor: undefined })
  expect(reloaded().getState()).toMatchObject({ editor: undefined, waiterId: undefined })
})

it('knows after a reload that steps end with Continue, and that they ended', () => {
  reloaded().setState({ stepping: true })
  const again = reloaded()
  expect(again.getState().stepping).toBe(true)
  again.setState({ stepping: false })
  expect(reloaded().getState().stepping).toBe(false)
})

it('opens nothing for what it can’t read, and does without a place to keep it', () => {
  sessionStorage.setItem('gm:editor', 'delete p1')
  expect(reloaded().getState().editor).toBeUndefined()
  expect(() => keepOverReload(createWorkbench(), undefined)).not.toThrow()
})

it('opens the editor all the same when the tab’s storage is full', () => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const workbench = createWorkbench()
  keepOverReload(workbench, FULL_STORAGE)
  const editor = { pauseId: 'p1', kind: 'edit' } as const
  expect(() => workbench.setState({ editor })).not.toThrow()
  expect(workbench.getState().editor).toEqual(editor)
})
