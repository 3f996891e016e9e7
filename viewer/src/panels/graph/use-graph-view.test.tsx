import { act, cleanup, renderHook } from '@testing-library/react'
import type { FitViewOptions } from '@xyflow/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { ViewerProvider } from '../../ui/viewer-context.tsx'
import { useGraphView } from './use-graph-view.ts'

// The camera is React Flow's; what counts is when it is told to move.
const flow = vi.hoisted(() => ({ fitView: vi.fn(async (_options: FitViewOptions) => true), zoomIn: vi.fn(), zoomOut: vi.fn() }))
vi.mock('@xyflow/react', () => ({ useReactFlow: () => flow }))

beforeEach(() => {
  vi.clearAllMocks()
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => {
    draw()
    return 0
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function camera() {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  const canvas = { current: document.createElement('div') }
  const { result, rerender } = renderHook(
    ({ nodes, selected }: { nodes: readonly string[]; selected: string | undefined }) =>
      useGraphView(canvas, useConstant(nodes), selected, false),
    {
      initialProps: { nodes: ONE, selected: undefined as string | undefined },
      wrapper: ({ children }: { children: ReactNode }) => <ViewerProvider viewer={viewer}>{children}</ViewerProvider>,
    },
  )
  const keys = () => {
    const { graph } = viewer.workbench.getState()
    if (graph === undefined) throw new Error('The graph offers no keys.')
    return graph
  }
  return { drag: () => result.current(new Event('mousemove')), ownMove: () => result.current(null), rerender, keys }
}

const ONE = ['search']
const TWO = ['search', 'book']
const places = new Map<readonly string[], ReadonlyMap<string, unknown>>()
/** The same map for the same nodes, as the layout gives it. */
function useConstant(nodes: readonly string[]): ReadonlyMap<string, unknown> {
  const known = places.get(nodes) ?? new Map(nodes.map((id) => [id, {}]))
  places.set(nodes, known)
  return known
}

it('fits the graph when nodes come, and never moves for a selection', () => {
  const { rerender } = camera()
  expect(flow.fitView).toHaveBeenCalledTimes(1)
  rerender({ nodes: ONE, selected: 'search' })
  rerender({ nodes: ONE, selected: undefined })
  expect(flow.fitView).toHaveBeenCalledTimes(1)
  rerender({ nodes: TWO, selected: 'search' })
  expect(flow.fitView).toHaveBeenCalledTimes(2)
})

it('leaves the view to who dragged or zoomed it, until F', () => {
  const { drag, rerender, keys } = camera()
  drag()
  rerender({ nodes: TWO, selected: undefined })
  expect(flow.fitView).toHaveBeenCalledTimes(1)
  act(() => keys().fit())
  expect(flow.fitView).toHaveBeenCalledTimes(2)
  rerender({ nodes: ONE, selected: undefined })
  expect(flow.fitView).toHaveBeenCalledTimes(3)
  act(() => keys().zoomIn())
  rerender({ nodes: TWO, selected: undefined })
  expect(flow.fitView).toHaveBeenCalledTimes(3)
})

it('takes its own moves for nobody’s', () => {
  const { ownMove, rerender } = camera()
  ownMove()
  rerender({ nodes: TWO, selected: undefined })
  expect(flow.fitView).toHaveBeenCalledTimes(2)
})

it('frames the selected node when asked, and nothing while none is selected', () => {
  const { rerender, keys } = camera()
  act(() => keys().frameSelection())
  expect(flow.fitView).toHaveBeenCalledTimes(1)
  rerender({ nodes: ONE, selected: 'search' })
  act(() => keys().frameSelection())
  expect(flow.fitView).toHaveBeenLastCalledWith(expect.objectContaining({ nodes: [{ id: 'search' }] }))
})
