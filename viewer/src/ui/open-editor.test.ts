import { beforeEach, expect, it } from 'vitest'
import { keepEditorOpen } from './open-editor.ts'
import { createWorkbench } from './workbench.ts'

beforeEach(() => sessionStorage.clear())

const reloaded = () => {
  const workbench = createWorkbench()
  keepEditorOpen(workbench, sessionStorage)
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

it('opens nothing for what it can’t read, and does without a place to keep it', () => {
  sessionStorage.setItem('gm:editor', 'delete p1')
  expect(reloaded().getState().editor).toBeUndefined()
  expect(() => keepEditorOpen(createWorkbench(), undefined)).not.toThrow()
})
