import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { layOut } from '../../model/layout.ts'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { type PicturedRun, runFromText } from '../../testing/run-from-text.ts'
import Graph from './graph.tsx'
import { GraphEdgeLine } from './graph-edge.tsx'
import type { LayoutAnswer, LayoutRequest } from './layout-worker.ts'

const asked: LayoutRequest[] = []
const errors: ((event: object) => void)[] = []

beforeEach(() => {
  localStorage.clear()
  asked.length = 0
  errors.length = 0
  vi.useFakeTimers()
  // What the thread does, in this one.
  vi.stubGlobal(
    'Worker',
    class {
      #tell: ((event: object) => void) | undefined
      addEventListener(type: string, listener: (event: object) => void) {
        if (type === 'message') this.#tell = listener
        else errors.push(listener)
      }
      postMessage(request: LayoutRequest) {
        asked.push(request)
        const data: LayoutAnswer = { id: request.id, positions: layOut(request.input) }
        this.#tell?.({ data })
      }
      terminate = vi.fn()
    },
  )
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const RUN = `
  agent planner  0-
    tool search  10-20 error
    tool search  30-70
    tool search  80-
    agent helper 90-95
      llm draft  91-94 in:1200 out:30`

function draw(text: string, query = '', state = {}) {
  const run = runFromText(text)
  const viewer = fakeViewer(run, state)
  const drawn = renderPanel(<Graph />, viewer, query)
  act(() => void vi.advanceTimersByTime(1000))
  const tell = (told: PicturedRun) => {
    act(() => viewer.store.setState({ run: openRun(told, { commit: told.envelopes.length, structure: told.envelopes.length }) }))
    act(() => void vi.advanceTimersByTime(1000))
  }
  return { ...drawn, viewer, tell }
}

const button = (name: RegExp) => screen.getByRole('button', { name })
const card = (name: RegExp) => {
  const element = button(name).parentElement
  if (element === null) throw new Error('A card has no parts.')
  return element
}

describe('a box of the graph', () => {
  it('shows kind, name, how often it ran, how many run, failures, how long the last took, and its breakpoint', () => {
    draw(RUN, '', { breakpoints: [{ kind: 'tool', name: 'search', point: 'before' }] })
    const search = card(/^tool search/)
    expect(search.textContent).toMatch(/^search1tool×31 running/)
    expect(search.querySelector('svg')).toBeTruthy()
    expect(search.querySelector('[data-set=true]')).toBeTruthy()
    expect(button(/^tool search/).getAttribute('aria-label')).toBe('tool search, running, 3 runs, 1 running, 1 error, breakpoint before')
    expect(card(/^llm draft/).textContent).toContain('3 ms')
    expect(card(/^llm draft/).querySelector('[data-set=true]')).toBeNull()
  })

  it('has its sums in the tooltip', () => {
    draw(RUN)
    expect(card(/^tool search/).title).toBe('search: 3 runs · 50 ms in all · 1 error')
    expect(card(/^llm draft/).title).toBe('draft: 1 run · 3 ms in all · 1.2k tokens in, 30 out')
  })

  it('is outlined when a call of it is selected, and so is the way to the root, and nothing else', () => {
    draw(RUN, 'instance=draft1')
    expect(card(/^llm draft/).dataset['mark']).toBe('selected')
    expect(card(/^agent helper/).dataset['mark']).toBe('path')
    expect(card(/^agent planner/).dataset['mark']).toBe('path')
    expect(card(/^tool search/).dataset['mark']).toBe('none')
    expect(button(/^llm draft/).getAttribute('aria-pressed')).toBe('true')
  })

  it('walks through its calls, in the address that the other panels follow', () => {
    const { history } = draw(RUN, 'instance=search2')
    const search = within(card(/^tool search/))
    expect(card(/^tool search/).textContent).toContain('2/3')
    fireEvent.click(search.getByRole('button', { name: 'Next time it ran' }))
    expect(history.at(-1)).toContain('instance=search3')
    fireEvent.click(search.getByRole('button', { name: 'Previous time it ran' }))
    fireEvent.click(search.getByRole('button', { name: 'Previous time it ran' }))
    expect(history.at(-1)).toContain('instance=search1')
    expect(search.getByRole('button', { name: 'Previous time it ran' }).hasAttribute('disabled')).toBe(true)
  })
})

describe('the layout', () => {
  it('is asked for once things stand still, and again only when there is another node or link', () => {
    const { tell } = draw(RUN)
    expect(asked).toHaveLength(1)
    // One of a node that is there comes and another ends: nothing to lay out.
    tell(runFromText(RUN.replace('tool search  80-', 'tool search  80-85\n    tool search 86-')))
    expect(asked).toHaveLength(1)
    tell(runFromText(`${RUN}\n    tool book 96-`))
    expect(asked).toHaveLength(2)
    expect(asked[1]?.input.nodes).toContain('tool:book')
  })

  it('that fails leaves the graph as a list, and says so', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    draw(RUN)
    act(() => {
      for (const tell of errors) tell({ message: 'broken' })
    })
    expect(screen.getByRole('alert').textContent).toMatch(/^The layout could not be computed, so the graph is shown as a list\./)
    expect(screen.getByRole('list', { name: 'Nodes of the graph' }).textContent).toContain('planner')
    expect(screen.queryByRole('button', { name: 'Show as graph' })).toBeNull()
  })

  it('waits 150 ms for more to come', () => {
    const viewer = fakeViewer(runFromText(RUN))
    renderPanel(<Graph />, viewer)
    act(() => void vi.advanceTimersByTime(149))
    expect(asked).toHaveLength(0)
    act(() => viewer.store.setState({ run: openRun(runFromText(`${RUN}\n    tool book 96-`), { commit: 2, structure: 2 }) }))
    act(() => void vi.advanceTimersByTime(149))
    expect(asked).toHaveLength(0)
    act(() => void vi.advanceTimersByTime(1))
    expect(asked).toHaveLength(1)
  })
})

describe('a link', () => {
  const ends = { source: 'a', target: 'b', sourceX: 200, sourceY: 100, targetX: 400, targetY: 100 }
  const line = (change: object, count = 1) => {
    const props = { id: 'a b', markerEnd: '', data: { count, direction: 'right', onPath: false, crowded: false }, ...ends, ...change }
    const { container } = render(
      <svg aria-hidden="true">
        <GraphEdgeLine {...(props as unknown as Parameters<typeof GraphEdgeLine>[0])} />
      </svg>,
    )
    const numbers = (container.querySelector('path')?.getAttribute('d') ?? '').match(/-?\d+(\.\d+)?/g)?.map(Number) ?? []
    const drawn = {
      xs: numbers.filter((_, at) => at % 2 === 0),
      ys: numbers.filter((_, at) => at % 2 === 1),
      label: container.querySelector('text')?.textContent,
    }
    cleanup()
    return drawn
  }

  it('tells how often it was taken from two on', () => {
    expect(line({}, 1).label).toBeUndefined()
    expect(line({}, 2).label).toBe('×2')
    expect(line({}, 1200).label).toBe('×1.2k')
  })

  it('goes straight ahead between its ends, back on the outer side, and round at a node that calls itself', () => {
    const forward = line({})
    expect([Math.min(...forward.ys), Math.max(...forward.ys)]).toEqual([100, 100])
    const back = line({ sourceX: 400, targetX: 0 }, 3)
    expect(Math.max(...back.ys)).toBeGreaterThan(150)
    expect(back.label).toBe('×3')
    const round = line({ target: 'a', targetX: 0, targetY: 100 }, 4)
    // Above the box, whose upper edge is at 74.
    expect(Math.min(...round.ys)).toBeLessThan(74)
    expect(round.label).toBe('×4')
  })
})
