import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clock } from '../../model/format.ts'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { giveSize } from '../../testing/give-size.ts'
import { runFromText, START } from '../../testing/run-from-text.ts'
import Timeline from './timeline.tsx'

beforeEach(() => {
  giveSize()
  // Everything is 1,000 px wide and begins at the left edge, so that 1 px is 1 ms while the whole run is shown.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 600))
  vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockReturnValue(undefined)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const run = runFromText('agent planner 0-1000\n  tool search 400-600\n  tool book 700-800 error')
const grid = () => screen.getByRole('treegrid', { name: 'Timeline' })

function draw(query = '') {
  const viewer = fakeViewer(run)
  const { container, history } = renderPanel(<Timeline />, viewer, query)
  const part = (name: string) => {
    const element = container.querySelector(`[class*=_${name}_]`)
    if (!(element instanceof HTMLElement)) throw new Error(`There is no ${name}.`)
    return element
  }
  /** The shown part of the run, ms, as the frame in the overview tells; all of it without one. */
  const shown = () => {
    const frame = part('overview').querySelector<HTMLElement>('[class*=_frame_]')
    if (frame === null) return [0, 1000]
    const from = Number.parseFloat(frame.style.left) * 10
    return [from, from + Number.parseFloat(frame.style.width) * 10].map(Math.round)
  }
  return { viewer, history, part, shown }
}

const drag = (element: HTMLElement, from: number, to: number) => {
  fireEvent.pointerDown(element, { button: 0, clientX: from, pointerId: 1 })
  fireEvent.pointerMove(element, { clientX: to, pointerId: 1 })
  fireEvent.pointerUp(element, { clientX: to, pointerId: 1 })
}

/** A turn of the wheel over the timeline; the DOM of these tests has none with a pointer. */
const turn = (how: { readonly ctrlKey?: boolean; readonly deltaX?: number; readonly deltaY?: number; readonly clientX?: number }) => {
  const event = Object.assign(new Event('wheel', { bubbles: true, cancelable: true }), {
    ...{ ctrlKey: false, deltaX: 0, deltaY: 0, clientX: 0 },
    ...how,
  })
  act(() => void grid().dispatchEvent(event))
}

describe('the part of the run that the timeline shows', () => {
  it('is what is drawn over the overview or over the ruler, and all of it after a double click', () => {
    const { part, shown } = draw()
    expect(shown()).toEqual([0, 1000])
    drag(part('overview'), 600, 200)
    expect(shown()).toEqual([200, 600])
    // The ruler shows 400 ms now.
    drag(part('ruler'), 250, 750)
    expect(shown()).toEqual([300, 500])
    fireEvent.doubleClick(part('ruler'))
    expect(shown()).toEqual([0, 1000])
  })

  it('goes where the overview is clicked, and a press that hardly moves draws nothing', () => {
    const { part, shown } = draw()
    drag(part('overview'), 0, 200)
    drag(part('overview'), 700, 702)
    expect(shown()).toEqual([602, 802])
  })

  it('shrinks and grows around the pointer with Ctrl and the wheel, and moves with a sideways wheel', () => {
    const { shown } = draw()
    turn({ ctrlKey: true, deltaY: -400, clientX: 250 })
    const [from = 0, to = 0] = shown()
    expect(to - from).toBeLessThan(600)
    // What is under the pointer stays there.
    expect((250 - from) / (to - from)).toBeCloseTo(0.25, 1)
    turn({ deltaX: 400, deltaY: 0 })
    expect(shown()[0]).toBeGreaterThan(from)
    turn({ ctrlKey: true, deltaY: 400, clientX: 500 })
    turn({ ctrlKey: true, deltaY: 400, clientX: 500 })
    expect(shown()).toEqual([0, 1000])
  })

  it('leaves a plain wheel to the list', () => {
    const { shown } = draw()
    turn({ deltaY: -400, clientX: 250 })
    expect(shown()).toEqual([0, 1000])
  })

  it('is zoomed by keys at the pointer while it is over the timeline, else at the middle, and panned by keys', () => {
    const { viewer, shown } = draw()
    const keys = () => viewer.workbench.getState().timeline
    fireEvent.pointerMove(grid(), { clientX: 800 })
    act(() => keys()?.zoomIn())
    expect(shown()).toEqual([400, 900])
    act(() => keys()?.zoomOut())
    expect(shown()).toEqual([0, 1000])
    fireEvent.pointerLeave(grid())
    act(() => keys()?.zoomIn())
    expect(shown()).toEqual([250, 750])
    act(() => keys()?.pan(0.25))
    expect(shown()).toEqual([375, 875])
    act(() => keys()?.pan(-5))
    expect(shown()).toEqual([0, 500])
    act(() => keys()?.fit())
    expect(shown()).toEqual([0, 1000])
  })

  it('is the selected call when asked, with a little around it', () => {
    const { viewer, shown } = draw('instance=search1')
    act(() => viewer.workbench.getState().timeline?.frameSelection())
    expect(shown()).toEqual([380, 620])
  })

  it('is in the address once it stands still', () => {
    vi.useFakeTimers()
    const { part, history } = draw()
    drag(part('overview'), 200, 600)
    expect(history.at(-1)).not.toContain('range=')
    act(() => void vi.advanceTimersByTime(300))
    expect(decodeURIComponent(history.at(-1) ?? '')).toMatch(/range=200\D600/)
  })
})

it('tells times since the run began, or the time of day when asked', () => {
  const { part } = draw()
  const marks = () => part('ruler').textContent
  expect(marks()).toContain('0 ms')
  expect(marks()).toContain('200 ms')
  fireEvent.click(screen.getByRole('button', { name: 'Show the time of day' }))
  expect(marks()).toContain(clock(START))
  expect(marks()).not.toContain('200 ms')
  fireEvent.click(screen.getByRole('button', { name: 'Show times since the start' }))
  expect(marks()).toContain('200 ms')
})

describe('a timeline that follows a live run', () => {
  /** A live run with this many calls, in a list of which 600 px are in sight. */
  function follow() {
    const lines = (calls: number) =>
      runFromText(`agent planner 0-\n${Array.from({ length: calls }, (_, at) => `  tool t${at} ${at}-${at + 1}`).join('\n')}`)
    const viewer = fakeViewer(lines(40))
    renderPanel(<Timeline />, viewer)
    const list = grid()
    vi.spyOn(list, 'scrollHeight', 'get').mockImplementation(() => (viewer.store.getState().run?.picture.instances.size ?? 0) * 26)
    const come = (calls: number) => act(() => viewer.store.setState({ run: openRun(lines(calls), { commit: calls, structure: calls }) }))
    come(41)
    return { list, come }
  }
  const pill = () => screen.queryByRole('button', { name: /^Live/ })

  it('keeps the newest call in sight', () => {
    const { list, come } = follow()
    expect(list.scrollTop).toBe(42 * 26)
    come(60)
    expect(list.scrollTop).toBe(61 * 26)
    expect(pill()).toBeNull()
  })

  it('stops at the first turn up of the wheel, and says in a button how much is new since', () => {
    const { list, come } = follow()
    fireEvent.wheel(list, { deltaY: -30 })
    list.scrollTop = 200
    fireEvent.scroll(list)
    expect(pill()?.textContent.trim()).toBe('Live')
    come(60)
    expect(list.scrollTop).toBe(200)
    expect(pill()?.textContent).toMatch(/^Live\s+19 new$/)
    const button = pill()
    if (button !== null) fireEvent.click(button)
    expect(list.scrollTop).toBe(61 * 26)
    expect(pill()).toBeNull()
    come(70)
    expect(list.scrollTop).toBe(71 * 26)
  })

  it('goes on when the reader scrolls back to the end', () => {
    const { list } = follow()
    fireEvent.wheel(list, { deltaY: -30 })
    list.scrollTop = 42 * 26 - 600
    fireEvent.scroll(list)
    expect(pill()).toBeNull()
  })
})
