import { act, cleanup } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { setStepNews } from '../../ui/workbench.ts'
import { Announcer } from './announcer.tsx'

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const run = runFromText('agent planner 0-\n  tool search 10-\n  tool book 20-')
const polite = () => [...document.querySelectorAll('[aria-live="polite"]')].map((region) => region.textContent).join('')

function announce() {
  const viewer = fakeViewer(run)
  renderPanel(<Announcer />, viewer)
  const begin = (...fresh: readonly string[]) => act(() => viewer.store.setState({ run: openRun(run, { fresh }) }))
  return { viewer, begin }
}
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

describe('new steps', () => {
  it('are told together, once a second, without interrupting', () => {
    const { begin } = announce()
    begin('planner1', 'search1')
    begin('book1')
    expect(polite()).toBe('')
    wait(1000)
    expect(polite()).toBe('3 new steps')
    wait(1000)
    expect(polite()).toBe('')
  })

  it('are told again when as many begin', () => {
    const { begin } = announce()
    begin('search1')
    wait(1000)
    const first = document.querySelector('[aria-live="polite"] > span')
    begin('book1')
    wait(1000)
    expect(polite()).toBe('1 new step')
    expect(document.querySelector('[aria-live="polite"] > span')).not.toBe(first)
  })

  it('are counted once, however often the screen is drawn', () => {
    const { viewer, begin } = announce()
    begin('search1')
    act(() => viewer.store.setState(({ run: last }) => ({ run: last === undefined ? undefined : { ...last } })))
    wait(1000)
    expect(polite()).toBe('1 new step')
  })

  it('are not told to those who don’t want it, nor of the past', () => {
    const { viewer, begin } = announce()
    act(() => setStepNews(viewer.workbench, false))
    begin('search1')
    wait(2000)
    expect(polite()).toBe('')
    act(() => setStepNews(viewer.workbench, true))
    act(() => viewer.store.setState({ run: openRun(run, { fresh: ['book1'], asOf: { seq: 1, at: 0 } }) }))
    wait(2000)
    expect(polite()).toBe('')
  })
})

it('tells of a held call at once', () => {
  renderPanel(<Announcer />, fakeViewer(runFromText('tool search 0- waits:5')))
  expect(document.querySelector('[aria-live="assertive"]')?.textContent).toBe('Paused before tool search. 1 waiting. Press J to go there.')
})
