import { foldEffect, foldedRanges, unfoldAll } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../testing/fake-viewer.tsx'
import { runFromText } from '../testing/run-from-text.ts'
import { ValueView } from './value-view.tsx'
import { ViewerProvider } from './viewer-context.tsx'

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

it('folds the same value again in the next text of its name, until it is unfolded', async () => {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  const shown = (value: object) => renderPanel(<ValueView label="Input" value={value} missing="nothing" />, viewer)
  const folded = async () => {
    const { state } = await json()
    const texts: string[] = []
    foldedRanges(state).between(0, state.doc.length, (from, to) => void texts.push(state.sliceDoc(from - 1, to + 1)))
    return texts.map((text) => JSON.parse(text))
  }
  shown({ city: { name: 'Lisbon' }, stops: [{ at: [1] }, { at: [2, 3] }] })
  const view = await json()
  const text = view.state.doc.toString()
  const fold = (from: number, to: number) => act(() => view.dispatch({ effects: foldEffect.of({ from: from + 1, to }) }))
  fold(text.indexOf('{', 2), text.indexOf('}'))
  fold(text.lastIndexOf('['), text.lastIndexOf(']', text.lastIndexOf(']') - 1))
  expect(await folded()).toEqual([{ name: 'Lisbon' }, [2, 3]])
  cleanup()
  const drawn = shown({ stops: [{ at: [4] }, { at: [5, 6] }], city: { name: 'Oslo' } })
  expect(await folded()).toEqual([[5, 6], { name: 'Oslo' }])
  const later = await json()
  act(() => void unfoldAll(later))
  drawn.unmount()
  shown({ city: { name: 'Porto' } })
  expect(await folded()).toEqual([])
})

it('stays folded when the value is told anew', async () => {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  const view = (value: object) => (
    <ViewerProvider viewer={viewer}>
      <ValueView label="Input" value={value} missing="nothing" />
    </ViewerProvider>
  )
  const { rerender } = render(view({ city: { name: 'Lisbon' } }))
  const editor = await json()
  const at = editor.state.doc.toString().lastIndexOf('{')
  act(() => editor.dispatch({ effects: foldEffect.of({ from: at + 1, to: editor.state.doc.toString().indexOf('}') }) }))
  rerender(view({ added: 1, city: { name: 'Lisbon' } }))
  await waitFor(() => expect(foldedRanges(editor.state).size).toBe(1))
  expect(editor.state.doc.toString()).toContain('added')
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

it('finds in JSON that is not in sight at once, and copies all of it', async () => {
  const writeText = vi.fn(async (_text: string) => undefined)
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  const value = { stops: Array.from({ length: 60 }, (_, at) => ({ city: `city ${at}` })) }
  draw(value)
  await json()
  fireEvent.click(screen.getByRole('button', { name: 'Find in input' }))
  expect(await screen.findByRole('textbox', { name: 'Find' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Copy input' }))
  expect(writeText).toHaveBeenCalledExactlyOnceWith(JSON.stringify(value, null, 2))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
})

it('can’t be written in', async () => {
  draw({ city: 'Lisbon' })
  const view = await json()
  expect(view.state.readOnly).toBe(true)
  expect(view.contentDOM.getAttribute('contenteditable')).toBe('false')
})

it.each([
  [2_000_000, false],
  [2_000_001, true],
])('draws a value of %d characters at once up to two million, and above only when asked, saying how large it is', (length, large) => {
  draw('x'.repeat(length))
  const button = screen.queryByRole('button', { name: 'Show 2 MB' })
  expect(button !== null).toBe(large)
  expect(screen.queryByText(/^x+$/) === null).toBe(large)
  if (button === null) return
  fireEvent.click(button)
  expect(screen.getByText(/^x+$/).textContent).toHaveLength(length)
})
