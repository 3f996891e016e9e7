import { Background, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type KeyboardEvent, memo, type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { OpenRun } from '../../link/viewer-state.ts'
import { errorPath } from '../../model/error-path.ts'
import { count } from '../../model/format.ts'
import { type GraphEdge, graphEdges, graphNodes } from '../../model/graph.ts'
import type { LayoutInput, Point } from '../../model/layout.ts'
import { type ShownGraph, shownGraph } from '../../model/neighbourhood.ts'
import { instanceToShow, nodeOf, pathToRoot } from '../../model/rows.ts'
import { Button } from '../../ui/button.tsx'
import { useAbandoned } from '../../ui/use-abandoned.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts, useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { type CardNode, toFlowEdges, toFlowNodes } from './flow-elements.ts'
import styles from './graph.module.css'
import { GraphControls } from './graph-controls.tsx'
import { GraphEdgeLine } from './graph-edge.tsx'
import { GraphListView } from './graph-list-view.tsx'
import { GraphNodeCard } from './graph-node.tsx'
import { useGlide } from './use-glide.ts'
import { useLayout } from './use-layout.ts'

const NODE_TYPES = { card: GraphNodeCard }
const EDGE_TYPES = { line: GraphEdgeLine }
/** With this many nodes drawing only the visible ones pays off. */
const MANY_NODES = 150
const EMPTY: ShownGraph = { nodes: [], edges: [], hidden: 0 }
const FITTED = { padding: 0.12, maxZoom: 1 }

/** The run as a graph: one box per node, lit by its instances. */
export default function Graph() {
  const run = useFacts((state) => state.run)
  const begun = useRef<string[]>([])
  useEffect(() => {
    begun.current.push(...(run?.fresh ?? []))
  }, [run])
  return (
    <ReactFlowProvider>
      {/* Nodes light up between the keys: what a person does is drawn first. */}
      <GraphCanvas run={useDeferredValue(run)} begun={begun} />
    </ReactFlowProvider>
  )
}

interface GraphCanvasProps {
  readonly run: OpenRun | undefined
  /** Instances that began live and were not drawn yet. */
  readonly begun: RefObject<string[]>
}

const GraphCanvas = memo(function GraphCanvas({ run, begun }: GraphCanvasProps) {
  const { workbench } = useViewer()
  // The picture changes in place and `commit` says that it did: telling how far a history is, is no reason to draw.
  const commit = run?.commit
  const picture = run?.picture
  const abandoned = useAbandoned()
  const direction = useWorkbench((state) => state.direction)
  const errorsOnly = useWorkbench((state) => state.errorPath)
  const asList = useWorkbench((state) => state.graphAsList)
  const { instanceId, select } = useSelection()

  const [showAll, setShowAll] = useState(false)
  const path = useMemo(
    () => (picture === undefined || commit === undefined || instanceId === undefined ? [] : pathToRoot(picture, instanceId)),
    [picture, commit, instanceId],
  )
  const focus = path[0]?.nodeId
  const graph = useMemo(
    () =>
      picture === undefined || commit === undefined
        ? EMPTY
        : shownGraph(graphNodes(picture, abandoned), graphEdges(picture), focus, showAll),
    [picture, commit, abandoned, focus, showAll],
  )
  const { nodes, hidden } = graph
  const edges = useStableEdges(graph.edges)
  const input = useStableInput({ nodes: nodes.map((node) => node.id), edges, direction })
  const { positions, failed } = useLayout(input)
  const shown = useGlide(positions)

  const onlyLit = useMemo(
    () => (picture === undefined || commit === undefined || !errorsOnly ? undefined : errorPath(picture)),
    [picture, commit, errorsOnly],
  )
  const previousNodes = useRef<CardNode[]>([])
  const flowNodes = toFlowNodes({ nodes, positions: shown, direction, path, previous: previousNodes.current, onlyLit })
  previousNodes.current = flowNodes
  const flowEdges = useMemo(() => toFlowEdges(edges, path, direction, onlyLit), [edges, path, direction, onlyLit])

  const canvas = useRef<HTMLElement>(null)
  const onMove = useGraphView(canvas, positions, path[0]?.nodeId)
  usePaintMarks(run, begun)

  const onNodeClick = (nodeId: string) => {
    const node = run === undefined ? undefined : nodeOf(run.picture, nodeId)
    if (run === undefined || node === undefined || path[0]?.nodeId === nodeId) return
    select(instanceToShow(run.picture, node))
  }

  if (asList) {
    return (
      <section ref={canvas} className={styles.canvas} aria-label="Graph">
        <div className={styles.listTools}>
          <Button onClick={() => workbench.setState({ graphAsList: false })}>Show as graph</Button>
        </div>
        <GraphListView nodes={nodes} edges={edges} selectedNode={focus} onPick={onNodeClick} />
      </section>
    )
  }
  return (
    <section ref={canvas} className={styles.canvas} aria-label="Graph">
      <ReactFlow
        nodes={flowNodes}
        edges={flowEdges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onMove={onMove}
        onKeyDown={(event) => walkByArrows(event, shown)}
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
      {hidden > 0 && (
        <p className={styles.part}>
          {count(nodes.length)} of {count(nodes.length + hidden)} nodes
          {showAll
            ? ', as many as can be drawn'
            : focus === undefined
              ? ', those that wait, run or failed first'
              : ', around the selected one'}
          {!showAll && <Button onClick={() => setShowAll(true)}>Show all</Button>}
        </p>
      )}
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
})

const STEPS: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
}

/** Moves the focus from a node to the nearest one in the arrow's direction. */
function walkByArrows(event: KeyboardEvent, positions: ReadonlyMap<string, Point>): void {
  const step = STEPS[event.key]
  const card = event.target instanceof Element ? event.target.closest('.react-flow__node') : null
  const id = card?.getAttribute('data-id')
  const from = positions.get(id ?? '')
  if (step === undefined || card === null || from === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  let nearest: { readonly id: string; readonly far: number } | undefined
  for (const [other, point] of positions) {
    const [dx, dy] = [point.x - from.x, point.y - from.y]
    const along = dx * step.x + dy * step.y
    // What lies aside counts double, so that an arrow goes where it points.
    const far = along + 2 * Math.abs(dx * step.y + dy * step.x)
    if (other !== id && along > 1 && (nearest === undefined || far < nearest.far)) nearest = { id: other, far }
  }
  if (nearest !== undefined) {
    card.parentElement
      ?.querySelector<HTMLElement>(`[data-id="${CSS.escape(nearest.id)}"] button[aria-pressed]`)
      ?.focus({ preventScroll: false })
  }
}

/** The same list until a link is new, gone or taken once more, so that React Flow is not given the same again. */
function useStableEdges(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const kept = useRef(edges)
  const same =
    kept.current.length === edges.length &&
    edges.every(({ id, count }, at) => kept.current[at]?.id === id && kept.current[at]?.count === count)
  if (!same) kept.current = edges
  return kept.current
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
function usePaintMarks(run: OpenRun | undefined, begun: RefObject<string[]>): void {
  useEffect(() => {
    if (run === undefined || begun.current.length === 0) return
    const drawn = begun.current.splice(0)
    requestAnimationFrame(() => {
      for (const instanceId of drawn) performance.mark(`gm:node-lit:${instanceId}`)
    })
  }, [run, begun])
}
