import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { Palette } from './palette.tsx'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('fetch', async () => Response.json({ runs: [], nextCursor: null }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const run = runFromText('agent planner 0-900\n  tool search 10-20\n  tool search 30-40')
const other = runInfo({ id: 'b'.repeat(32), name: 'second run' })

function open(palette: true | { compareWith: string } = true) {
  const viewer = fakeViewer(run, { runs: new Map([runInfo(), other].map((info) => [info.id, info])) })
  const drawn = renderPanel(<Palette />, viewer)
  act(() => viewer.workbench.setState({ palette }))
  return { ...drawn, viewer }
}
const type = (value: string) => fireEvent.change(screen.getByRole('combobox'), { target: { value } })
const press = (key: string) => fireEvent.keyDown(screen.getByRole('combobox'), { key })
const options = () => screen.queryAllByRole('option')

it('lists commands, and last what can’t be used, with the reason', () => {
  open()
  const disabled = options().map((option) => option.getAttribute('aria-disabled') === 'true')
  expect(disabled).toContain(true)
  expect(disabled.toSorted()).toEqual(disabled)
  type('jump')
  expect(options()[0]?.textContent).toContain('Nothing waits.')
  press('Enter')
  expect(screen.getByRole('combobox')).toBeTruthy()
})

it('does what is chosen by arrows and Enter, and closes', () => {
  const { viewer, history } = open()
  type('@search')
  expect(options().map((option) => option.textContent)).toEqual([expect.stringContaining('ran 2×')])
  press('Enter')
  expect(history.at(-1)).toMatch(/instance=search/)
  expect(viewer.workbench.getState().palette).toBe(false)
  act(() => viewer.workbench.setState({ palette: true }))
  type(':search')
  expect(options()).toHaveLength(2)
  press('ArrowDown')
  expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['false', 'true'])
  press('ArrowDown')
  expect(options()[0]?.getAttribute('aria-selected')).toBe('true')
})

it('opens a run after #, and says when nothing has the name', () => {
  const { history } = open()
  type('#nobody')
  expect(screen.getByText('Nothing has this in its name.')).toBeTruthy()
  type('#second')
  press('Enter')
  expect(history.at(-1)).toBe(`/run/${other.id}`)
})

it('offers only other runs where one is to be compared', () => {
  const { history } = open({ compareWith: RUN_ID })
  expect(options().map((option) => option.textContent)).toEqual([expect.stringContaining('second run')])
  press('Enter')
  expect(history.at(-1)).toBe(`/compare/${RUN_ID}/${other.id}`)
})
