import { EditorView } from '@codemirror/view'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../testing/fake-viewer.tsx'
import { runFromText } from '../testing/run-from-text.ts'
import { ValueView } from './value-view.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const draw = (value: unknown) => {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  renderPanel(<ValueView label="Input" value={value} missing="nothing" />, viewer)
}

const json = async () => {
  const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Input' }))
  if (view === null) throw new Error('There is no editor.')
  return view
}

it('wraps long lines of JSON unless told not to, and remembers that', async () => {
  draw({ city: 'Lisbon' })
  expect((await json()).contentDOM.classList.contains('cm-lineWrapping')).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Wrap long lines', pressed: true }))
  expect((await json()).contentDOM.classList.contains('cm-lineWrapping')).toBe(false)
  cleanup()
  draw({ city: 'Oslo' })
  expect(screen.getByRole('button', { name: 'Wrap long lines', pressed: false })).toBeTruthy()
  expect((await json()).contentDOM.classList.contains('cm-lineWrapping')).toBe(false)
})

it('shows and copies the path of the value at the cursor', async () => {
  const writeText = vi.fn(async (_text: string) => undefined)
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  draw({ stops: [{ city: 'Lisbon' }, { city: 'Oslo' }] })
  const view = await json()
  expect(screen.queryByRole('button', { name: 'Copy path' })).toBeNull()
  act(() => view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf('Oslo') } }))
  expect(screen.getByText('$.stops[1].city')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Copy path' }))
  expect(writeText).toHaveBeenCalledExactlyOnceWith('$.stops[1].city')
})

it('offers neither for a text', () => {
  draw('a text')
  expect(screen.queryByRole('button', { name: 'Wrap long lines' })).toBeNull()
})
