import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeViewer, renderPanel } from '../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../testing/run-from-text.ts'
import { useKeys } from './use-keys.ts'
import { useViewer } from './viewer-context.tsx'

const went: string[] = []

function Page() {
  useKeys({ ...useViewer(), address: { path: `/run/${RUN_ID}`, query: '' }, navigate: (address) => went.push(address) })
  return <input aria-label="Somewhere to type" />
}

let viewer: ReturnType<typeof fakeViewer>
beforeEach(() => {
  went.length = 0
  viewer = fakeViewer(runFromText('tool convert 0- waits:5 at:error'))
  renderPanel(<Page />, viewer)
})
afterEach(cleanup)

const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...more })
const type = (key: string) => fireEvent.keyDown(screen.getByRole('textbox'), { key })
const sent = () => viewer.actions.resume.mock.calls.map(([, command]) => command.action)

describe('keys', () => {
  it('let a held call go', () => {
    press('r')
    press('F8')
    expect(sent()).toEqual(['retry', 'continue'])
  })

  it('do nothing while a person types, nor with the rest of a word when the field is gone', () => {
    type('c')
    press('r')
    expect(sent()).toEqual([])
  })

  it('are one press, one command, also when the key is held down', () => {
    press('c', { repeat: true })
    expect(sent()).toEqual([])
  })

  it('belong to a sequence after G', () => {
    press('g')
    press('r')
    press('g')
    press('b')
    expect(went).toEqual(['/', '/breakpoints'])
    expect(sent()).toEqual([])
  })

  it('take a sign however the layout makes it', () => {
    press('?', { shiftKey: true })
    expect(viewer.workbench.getState().help).toBe(true)
  })

  it('leave the browser its own combinations', () => {
    press('r', { ctrlKey: true })
    expect(sent()).toEqual([])
  })
})
