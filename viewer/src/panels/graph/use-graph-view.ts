import { type FitViewOptions, useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect, useRef } from 'react'
import { isMotionReduced } from '../../ui/motion.ts'
import { useViewer } from '../../ui/viewer-context.tsx'

/** Room around the fitted graph, as a part of the canvas. */
const AROUND = 0.08
/** The buttons at the bottom with the room around them; a canvas lower than the other figure has none to give, px. */
const BUTTONS = { height: 56, from: 320 }
/** Room for the arrows of the order on the far side of the boxes, as a part of the canvas. */
const ORDER = 0.16

function fitted(canvas: HTMLElement | null, order: boolean): FitViewOptions {
  const far = order ? ORDER : AROUND
  const bottom = (canvas?.clientHeight ?? 0) < BUTTONS.from ? far : (`${BUTTONS.height}px` as const)
  return { padding: { top: AROUND, left: AROUND, right: far, bottom }, maxZoom: 1 }
}

/** Fits the graph, where its boxes are shown at the moment, while the reader lets it; and offers the view to the keys. */
export function useGraphView(
  canvas: RefObject<HTMLElement | null>,
  shown: ReadonlyMap<string, unknown>,
  selectedNode: string | undefined,
  order: boolean,
): (event: unknown) => void {
  const { workbench } = useViewer()
  const flow = useReactFlow()
  const moved = useRef(false)
  const selected = useRef(selectedNode)
  selected.current = selectedNode

  useEffect(() => {
    const duration = isMotionReduced() ? 0 : 200
    const fit = () => {
      moved.current = false
      void flow.fitView({ ...fitted(canvas.current, order), duration })
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
  }, [flow, workbench, canvas, order])

  useEffect(() => {
    if (shown.size === 0) return
    const frame = requestAnimationFrame(() => {
      if (!moved.current) void flow.fitView(fitted(canvas.current, order))
    })
    return () => cancelAnimationFrame(frame)
  }, [flow, canvas, shown, order])

  useEffect(() => {
    if (canvas.current === null) return
    const observer = new ResizeObserver(() => {
      if (!moved.current) void flow.fitView(fitted(canvas.current, order))
    })
    observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [flow, canvas, order])

  // A drag or a wheel of the reader wins over fitting, until F; moves of our own carry no event.
  return (event: unknown) => {
    if (event !== null) moved.current = true
  }
}
