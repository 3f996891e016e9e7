import { Background, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { graphEdges, graphNodes } from '../../model/graph.ts'
import type { LayoutInput } from '../../model/layout.ts'
import { instanceToShow, nodeOf, pathToRoot } from '../../model/rows.ts'
import { useAbandoned } from '../../ui/use-abandoned.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts, useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { toFlowEdges, toFlowNodes } from './flow-elements.ts'
import styles from './graph.module.css'
import { GraphControls } from './graph-controls.tsx'
import { GraphEdgeLine } from './graph-edge.tsx'
import { GraphNodeCard } from './graph-node.tsx'
import { useGlide } from './use-glide.ts'
import { useLayout } from './use-layout.ts'

const NODE_TYPES = { card: GraphNodeCard }
const EDGE_TYPES = { line: GraphEdgeLine }
/** With this many nodes drawing only the visible ones pays off. */
const MANY_NODES = 150
const FITTED = { padding: 0.12, maxZoom: 1 }

/** The run as a graph: one box per node, lit by its instances. */
export default function Graph() {
  return (
    <ReactFlowProvider>
      <GraphCanvas />
    </ReactFlowProvider>
  )
}

function GraphCanvas() {
  const run = useFacts((state) => state.run)
  const abandoned = useAbandoned()
  const direction = useWorkbench((state) => state.direction)
  const { instanceId, select } = useSelection()

  const nodes = useMemo(() => (run === undefined ? [] : graphNodes(run.picture, abandoned)), [run, abandoned])
  const edges = useMemo(() => (run === undefined ? [] : graphEdges(run.picture)), [run])
  const input = useStableInput({ nodes: nodes.map((node) => node.id), edges, direction })
  const { positions, failed } = useLayout(input)
  const shown = useGlide(positions)

  const path = useMemo(() => (run === undefined || instanceId === undefined ? [] : pathToRoot(run.picture, instanceId)), [run, instanceId])
  const previousNodes = useRef(new Map<string, ReturnType<typeof toFlowNodes>[number]>())
  const flowNodes = toFlowNodes({ nodes, positions: shown, direction, path, previous: previousNodes.current })
  previousNodes.current = new Map(flowNodes.map((node) => [node.id, node]))
  const flowEdges = useMemo(() => toFlowEdges(edges, path, direction), [edges, path, direction])

  const canvas = useRef<HTMLElement>(null)
  const onMove = useGraphView(canvas, positions, path[0]?.nodeId)
  usePaintMarks(run?.fresh)

  const onNodeClick = (nodeId: string) => {
    const node = run === undefined ? undefined : nodeOf(run.picture, nodeId)
    if (run === undefined || node === undefined || path[0]?.nodeId === nodeId) return
    select(instanceToShow(run.picture, node))
  }

  return (
    <section ref={canvas} className={styles.canvas} aria-label="Graph">
      <ReactFlow
        nodes={flowNodes}
        edges={flowEdges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onMove={onMove}
        onNodeClick={(_, node) => onNodeClick(node.id)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnDoubleClick={false}
        minZoom={0.1}
        maxZoom={2}
        onlyRenderVisibleElements={flowNodes.length > MANY_NODES}
        attributionPosition="bottom-right"
      >
        <Background gap={22} size={1} className={styles.dots ?? ''} />
        <GraphControls />
      </ReactFlow>
      {nodes.length === 0 && (
        <p className={styles.empty}>
          {run?.phase === 'ready' ? 'Nothing has started yet. Nodes light up here as they run.' : 'Loading the run…'}
        </p>
      )}
      {failed && (
        <p className={styles.failed} role="alert">
          The layout could not be computed, so nodes stand side by side. The outline shows the same as a list.
        </p>
      )}
    </section>
  )
}

/** The same input object until the set of nodes or edges, or the direction, really changes: only then is a layout worth its time. */
function useStableInput({ nodes, edges, direction }: LayoutInput): LayoutInput {
  const key = JSON.stringify([direction, nodes, edges.map(({ from, to }) => [from, to])])
  return useMemo(() => {
    const [turned, ids, links] = JSON.parse(key) as [LayoutInput['direction'], string[], [string, string][]]
    return { direction: turned, nodes: ids, edges: links.map(([from, to]) => ({ from, to })) }
  }, [key])
}

/** Fits the graph while the reader lets it, and offers the view to the keys. */
function useGraphView(
  canvas: RefObject<HTMLElement | null>,
  positions: ReadonlyMap<string, unknown>,
  selectedNode: string | undefined,
): (event: unknown) => void {
  const { workbench } = useViewer()
  const flow = useReactFlow()
  const moved = useRef(false)
  const selected = useRef(selectedNode)
  selected.current = selectedNode

  useEffect(() => {
    const duration = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200
    const fit = () => {
      moved.current = false
      void flow.fitView({ ...FITTED, duration })
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
  }, [flow, workbench])

  useEffect(() => {
    if (positions.size === 0) return
    const frame = requestAnimationFrame(() => {
      if (!moved.current) void flow.fitView(FITTED)
    })
    return () => cancelAnimationFrame(frame)
  }, [flow, positions])

  useEffect(() => {
    if (canvas.current === null) return
    const observer = new ResizeObserver(() => {
      if (!moved.current) void flow.fitView(FITTED)
    })
    observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [flow, canvas])

  // A drag or a wheel of the reader wins over fitting, until F; moves of our own carry no event.
  return (event: unknown) => {
    if (event !== null) moved.current = true
  }
}

/** Marks when an instance that began live was first drawn, so that the time from its start can be measured. */
function usePaintMarks(fresh: readonly string[] | undefined): void {
  useEffect(() => {
    if (fresh === undefined || fresh.length === 0) return
    requestAnimationFrame(() => {
      for (const instanceId of fresh) performance.mark(`gm:node-lit:${instanceId}`)
    })
  }, [fresh])
}
