import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { ErrorCard } from './error-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const STACK = `ToolError: no seats
    at book (/app/tools.mjs:33:11)
    at run (/app/node_modules/runner/index.js:1:2)
    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)
  [cause]: FetchError: 503 from the airline
      at get (/app/airline.mjs:7:9)
    [cause]: Error: connect ECONNREFUSED`

const card = () => within(screen.getByRole('article', { name: 'Error ToolError' }))
const draw = (change: object = {}) =>
  renderPanel(
    <ErrorCard error={{ name: 'ToolError', message: 'no seats', stack: STACK, ...change }} />,
    fakeViewer(runFromText('tool book 0-10 error')),
  )

it('tells type and message, then each cause, the program’s own frames, and those of libraries folded', () => {
  draw()
  expect(card().getByText('ToolError')).toBeTruthy()
  expect(card().getByText('no seats')).toBeTruthy()
  expect(
    card()
      .getAllByText(/^Caused by/)
      .map((line) => line.textContent),
  ).toEqual(['Caused by: FetchError: 503 from the airline', 'Caused by: Error: connect ECONNREFUSED'])
  const own = card().getByText(/tools\.mjs/)
  expect(own.textContent).toBe('at book (/app/tools.mjs:33:11)\nat get (/app/airline.mjs:7:9)')
  const library = card().getByText('2 library frames').closest('details')
  expect(library?.open).toBe(false)
  expect(library?.textContent).toContain('node_modules/runner')
  expect(own.closest('details')).toBeNull()
})

it('says so of an error without a message, and has no frames where there is no stack', () => {
  draw({ message: '', stack: undefined })
  expect(card().getByText('The error carries no message.')).toBeTruthy()
  expect(card().queryByText(/frame|Caused by/)).toBeNull()
})

it('copies the whole stack, or what there is', () => {
  const writeText = vi.fn(async (_text: string) => undefined)
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  draw()
  fireEvent.click(card().getByRole('button', { name: 'Copy error' }))
  expect(writeText).toHaveBeenLastCalledWith(STACK)
  cleanup()
  draw({ stack: undefined })
  fireEvent.click(card().getByRole('button', { name: 'Copy error' }))
  expect(writeText).toHaveBeenLastCalledWith('ToolError: no seats')
})
