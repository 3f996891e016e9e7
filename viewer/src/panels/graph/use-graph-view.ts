import { useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect, useRef } from 'react'
import { isMotionReduced } from '../../ui/motion.ts'
import { useViewer } from '../../ui/viewer-context.tsx'

/** How the graph is fitted; arrows of the order need room on the far side of the boxes. */
const FITTED = { padding: 0.12, maxZoom: 1 } as const
const FITTED_WITH_ORDER = { padding: { top: 0.12, left: 0.12, right: '130px', bottom: '90px' }, maxZoom: 1 } as const

/** Fits the graph while the reader lets it, and offers the view to the keys. */
export function useGraphView(
  canvas: RefObject<HTMLElement | null>,
  positions: ReadonlyMap<string, unknown>,
  selectedNode: string | undefined,
  order: boolean,
): (event: unknown) => void {
  const { workbench } = useViewer()
  const flow = useReactFlow()
  const moved = useRef(false)
  const selected = useRef(selectedNode)
  selected.current = selectedNode
  const fitted = order ? FITTED_WITH_ORDER : FITTED

  useEffect(() => {
    const duration = isMotionReduced() ? 0 : 200
    const fit = () => {
      moved.current = false
      void flow.fitView({ ...fitted, duration })
    }
    const view = {
      fit,
      frameSelection: () => {
        if (selected.current !== undefined) void flow.fitView({ nodes: [{ id: selected.current }], padding: 0.5, maxZoom: 1.2, duration })
      },
      zoomIn: () => {
        moved.current = true
        void flow.zoomIn({ duration })
      },
      zoomOut: () => {
        moved.current = true
        void flow.zoomOut({ duration })
      },
    }
    workbench.setState({ graph: view })
    return () => workbench.setState({ graph: undefined })
  }, [flow, workbench, fitted])

  useEffect(() => {
    if (positions.size === 0) return
    const frame = requestAnimationFrame(() => {
      if (!moved.current) void flow.fitView(fitted)
    })
    return () => cancelAnimationFrame(frame)
  }, [flow, positions, fitted])

  useEffect(() => {
    if (canvas.current === null) return
    const observer = new ResizeObserver(() => {
      if (!moved.current) void flow.fitView(fitted)
    })
    observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [flow, canvas, fitted])

  // A drag or a wheel of the reader wins over fitting, until F; moves of our own carry no event.
  return (event: unknown) => {
    if (event !== null) moved.current = true
  }
}
