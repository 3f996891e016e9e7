import { act, cleanup, createEvent, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { FileDrop } from './file-drop.tsx'
import { ImportList } from './import-list.tsx'

const lines = (...said: readonly object[]) => new Response(said.map((line) => `${JSON.stringify(line)}\n`).join(''))
let answers: Record<string, () => Response | Promise<Response>>
beforeEach(() => {
  answers = {}
  vi.stubGlobal('fetch', async (path: string) => {
    const file = new URL(path, 'http://x').searchParams.get('file') ?? ''
    return answers[file]?.() ?? Response.json({ error: `${file} is not expected` }, { status: 422 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function page() {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  renderPanel(
    <>
      <FileDrop />
      <ImportList />
    </>,
    viewer,
  )
  return viewer
}
/** Drags over the page, or drops, what a person holds; tells whether the page wants it. */
function drag(
  type: 'dragOver' | 'dragLeave' | 'drop',
  files: readonly File[],
  types = ['Files'],
  relatedTarget: Element | null = null,
): boolean {
  const event = createEvent[type](document.body)
  Object.defineProperties(event, { dataTransfer: { value: { types, files } }, relatedTarget: { value: relatedTarget } })
  act(() => {
    window.dispatchEvent(event)
  })
  return event.defaultPrevented
}
const hint = () => screen.queryByText('Drop trace files to import them')
const file = (name: string) => new File(['x'], name)

it('takes files that are dragged over the page, and nothing else that is dragged', () => {
  page()
  expect([drag('dragOver', [], ['text/plain']), hint()]).toEqual([false, null])
  expect([drag('dragOver', [], ['Files']), hint()]).toEqual([true, expect.anything()])
  drag('dragLeave', [], ['Files'], document.body)
  expect(hint()).not.toBeNull()
  drag('dragLeave', [])
  expect(hint()).toBeNull()
})

it('imports what is dropped file by file, and tells of each what became of it', async () => {
  answers['good.json'] = () =>
    lines(
      { progress: { spans: 40, events: 0 } },
      { run: runInfo({ id: 'r1', name: 'trip', spanCount: 61 }) },
      { spans: 61, events: 120, skipped: [], skippedCount: 0 },
    )
  answers['bad.html'] = () => Response.json({ error: 'This is no trace. Known formats: OTLP.' }, { status: 422 })
  answers['half.jsonl'] = () =>
    lines(
      { run: runInfo({ id: 'r2', name: 'half', spanCount: 1 }) },
      { spans: 1, events: 2, skipped: [{ file: 'half.jsonl', line: 7, reason: 'it is no JSON' }], skippedCount: 9 },
    )
  const viewer = page()
  expect(drag('drop', [file('good.json'), file('bad.html'), file('half.jsonl')])).toBe(true)
  await screen.findByText('Imported')
  const [good, bad, half] = screen.getAllByRole('listitem')
  if (good === undefined || bad === undefined || half === undefined) throw new Error('three files were dropped')
  expect(within(good).getByRole('link', { name: 'trip' }).getAttribute('href')).toBe('/run/r1')
  expect(good.textContent).toContain('1 run')
  expect(within(bad).getByRole('alert').textContent).toBe('This is no trace. Known formats: OTLP.')
  expect(bad.textContent).toContain('not imported')
  expect(half.textContent).toContain('1 run, 9 skipped')
  expect(half.textContent).toContain('Line 7: it is no JSON')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(viewer.workbench.getState().imports).toEqual([])
})

it('can’t be closed while a file is read, and says when the collector is gone', async () => {
  let fail: (error: Error) => void = () => undefined
  answers['slow.json'] = () =>
    new Promise((_resolve, reject) => {
      fail = reject
    })
  page()
  drag('drop', [file('slow.json')])
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Close when all files are read' })).disabled).toBe(true)
  fail(new Error('connection refused'))
  expect((await screen.findByRole('alert')).textContent).toContain('Check that the collector runs, then drop it again.')
})
