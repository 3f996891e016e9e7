import { Background, ReactFlow, ReactFlowProvider } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { memo, type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { OpenRun } from '../../link/viewer-state.ts'
import { graphByCallPath } from '../../model/call-path.ts'
import { errorPath } from '../../model/error-path.ts'
import { count } from '../../model/format.ts'
import { type GraphEdge, type GraphModel, graphByNode, reachedOnly } from '../../model/graph.ts'
import { type GraphGroup, groupName } from '../../model/graph-groups.ts'
import { wideFans } from '../../model/layout.ts'
import { shownGraph, type Wanted } from '../../model/neighbourhood.ts'
import { orderEdges } from '../../model/order.ts'
import { instanceToShow, pathToRoot } from '../../model/rows.ts'
import type { GraphShape } from '../../model/suiting-direction.ts'
import { Button } from '../../ui/button.tsx'
import { useOutlook } from '../../ui/use-outlook.ts'
import { useRunPulse } from '../../ui/use-run-pulse.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { FanBoxNode, toFanBoxes } from './fan-boxes.tsx'
import { type CardNode, toFlowEdges, toFlowNodes, toOrderArrows } from './flow-elements.ts'
import styles from './graph.module.css'
import { GraphControls } from './graph-controls.tsx'
import { GraphEdgeLine, OrderArrow } from './graph-edge.tsx'
import { GraphListView } from './graph-list-view.tsx'
import { GraphNodeCard } from './graph-node.tsx'
import { GroupCard, toGroupNodes } from './group-card.tsx'
import { useDirection } from './use-direction.ts'
import { useFarAway } from './use-far-away.ts'
import { useGlide } from './use-glide.ts'
import { useGraphLook } from './use-graph-look.ts'
import { useGraphView } from './use-graph-view.ts'
import { useLayout } from './use-layout.ts'
import { usePaintMarks } from './use-paint-marks.ts'
import { walkByArrows } from './walk-by-arrows.ts'

const NODE_TYPES = { card: GraphNodeCard, group: GroupCard, box: FanBoxNode }
const EDGE_TYPES = { line: GraphEdgeLine, order: OrderArrow }
/** With this many nodes drawing only the visible ones pays off. */
const MANY_NODES = 150
const NOTHING_MORE: Wanted = new Set()
const EMPTY: GraphModel = { nodes: [], edges: [], nodeOf: () => undefined }

/** The run as a graph: one box per node, lit by its instances. */
export default function Graph() {
  const run = useFacts((state) => state.run)
  const begun = useRef<string[]>([])
  useEffect(() => {
    begun.current.push(...(run?.fresh ?? []))
  }, [run])
  const pulse = useRunPulse()
  return (
    <ReactFlowProvider>
      {/* Nodes light up between the keys: what a person does is drawn first. */}
      <GraphCanvas run={useDeferredValue(run)} pulse={useDeferredValue(pulse)} begun={begun} />
    </ReactFlowProvider>
  )
}

interface GraphCanvasProps {
  readonly run: OpenRun | undefined
  readonly pulse: number
  /** Instances that began live and were not drawn yet. */
  readonly begun: RefObject<string[]>
}

const GraphCanvas = memo(function GraphCanvas({ run, pulse, begun }: GraphCanvasProps) {
  // The picture changes in place and `commit` says that it did: telling how far a history is, is no reason to draw.
  const commit = run?.commit
  const picture = run?.picture
  const outlook = useOutlook()
  const { look, change } = useGraphLook(picture, run?.structure)
  const { paths, order, reached, errors, list } = look
  const { instanceId, select } = useSelection()

  const [wanted, setWanted] = useState<Wanted>(NOTHING_MORE)
  const path = useMemo(
    () => (picture === undefined || commit === undefined || instanceId === undefined ? [] : pathToRoot(picture, instanceId)),
    [picture, commit, instanceId],
  )
  // The nodes are counted as calls come; the ways they are called are found by going through all calls.
  const news = paths ? pulse : commit
  const model = useMemo(() => {
    if (picture === undefined || news === undefined) return EMPTY
    const whole = (paths ? graphByCallPath : graphByNode)(picture, outlook)
    return reached ? reachedOnly(whole) : whole
  }, [picture, news, outlook, paths, reached])
  const boxPath = useMemo(() => path.flatMap((instance) => model.nodeOf(instance.id) ?? []), [path, model])
  const [focus] = boxPath
  const graph = useMemo(() => shownGraph(model.nodes, model.edges, focus, wanted), [model, focus, wanted])
  const { nodes, hidden } = graph
  const edges = useStable(graph.edges, isSameEdge)
  const groups = useStable(graph.groups, isSameGroup)
  const canvas = useRef<HTMLElement>(null)
  const shape = useStableShape({ nodes: [...nodes, ...groups].map(({ id }) => id), edges })
  const direction = useDirection(look.direction, shape, canvas)
  const input = useMemo(() => ({ ...shape, direction }), [shape, direction])
  const { positions, failed } = useLayout(input)
  const shown = useGlide(positions)

  const fans = useMemo(() => wideFans(input), [input])

  const onlyLit = useMemo(
    () => (picture === undefined || pulse < 0 || !errors ? undefined : errorPath(picture, model.nodeOf)),
    [picture, pulse, errors, model],
  )
  const previousNodes = useRef<CardNode[]>([])
  const cards = toFlowNodes({
    nodes,
    positions: shown,
    direction,
    path: boxPath,
    selectedInstance: path[0]?.id,
    previous: previousNodes.current,
    onlyLit,
  })
  previousNodes.current = cards
  const boxes = useMemo(() => toFanBoxes(fans, shown), [fans, shown])
  const lines = useMemo(() => toFlowEdges(edges, boxPath, direction, onlyLit, fans), [edges, boxPath, direction, onlyLit, fans])
  const arrows = useMemo(
    () => (picture === undefined || pulse < 0 || !order ? [] : toOrderArrows(orderEdges(picture, model.nodeOf), shown, direction, focus)),
    [picture, pulse, order, model, shown, direction, focus],
  )
  const piles = useMemo(() => toGroupNodes(groups, shown, direction, onlyLit !== undefined), [groups, shown, direction, onlyLit])
  const flowNodes = useMemo(() => (boxes.length + piles.length === 0 ? cards : [...boxes, ...cards, ...piles]), [boxes, cards, piles])
  const flowEdges = useMemo(() => (arrows.length === 0 ? lines : [...lines, ...arrows]), [lines, arrows])

  const onMove = useGraphView(canvas, shown, focus, order)
  const farAway = useFarAway()
  usePaintMarks(run, begun)

  const openGroup = ({ key, owner }: GraphGroup) => {
    setWanted((before) => (before === 'all' ? before : new Set([...before, key])))
    // The pile goes with the focus it may have; what it was near to stays.
    if (owner !== undefined)
      canvas.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(owner.id)}"] button`)?.focus({ preventScroll: true })
  }
  const onNodeClick = (id: string) => {
    const group = groups.find((candidate) => candidate.id === id)
    if (group !== undefined) return openGroup(group)
    const node = nodes.find((candidate) => candidate.id === id)?.node
    if (run === undefined || node === undefined || focus === id) return
    select(instanceToShow(run.picture, node))
  }

  if (list || failed) {
    return (
      <section ref={canvas} className={`${styles.canvas} ${styles.listed}`} aria-label="Graph">
        {failed ? (
          <p className={styles.failed} role="alert">
            The layout could not be computed, so the graph is shown as a list. Reload the page to try again.
          </p>
        ) : (
          <div className={styles.listTools}>
            <Button onClick={() => change({ list: false })}>Show as graph</Button>
          </div>
        )}
        <GraphListView nodes={[...nodes, ...groups]} edges={edges} selectedNode={focus} onPick={onNodeClick} onOpen={openGroup} />
      </section>
    )
  }
  return (
    <section ref={canvas} className={styles.canvas} aria-label="Graph" data-far={farAway}>
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
        onlyRenderVisibleElements={cards.length > MANY_NODES}
        attributionPosition="bottom-right"
      >
        <Background gap={22} size={1} className={styles.dots ?? ''} />
        <GraphControls look={{ ...look, direction }} change={change} />
      </ReactFlow>
      {(hidden > 0 || wanted !== NOTHING_MORE) && (
        <p className={styles.part}>
          {count(nodes.length)} of {count(nodes.length + hidden)} nodes
          {hidden > 0 && whichNodes(wanted, focus)}
          {wanted === 'all' || hidden === 0 || <Button onClick={() => setWanted('all')}>Show all</Button>}
          {wanted !== NOTHING_MORE && <Button onClick={() => setWanted(NOTHING_MORE)}>Show fewer</Button>}
        </p>
      )}
      {nodes.length === 0 && (
        <p className={styles.empty}>
          {run?.phase === 'ready' ? 'Nothing has started yet. Nodes light up here as they run.' : 'Loading the run…'}
        </p>
      )}
    </section>
  )
})

function whichNodes(wanted: Wanted, focus: string | undefined): string {
  if (wanted === 'all') return ', as many as can be drawn'
  return focus === undefined ? ', those that wait, run or failed first' : ', around the selected one'
}

/** The same list until one of it is new, gone or another, so that React Flow is not given the same again. */
function useStable<Item>(items: readonly Item[], isSame: (one: Item, other: Item) => boolean): readonly Item[] {
  const kept = useRef(items)
  const before = kept.current
  const same =
    before.length === items.length &&
    items.every((item, at) => {
      const known = before[at]
      return known !== undefined && isSame(item, known)
    })
  if (!same) kept.current = items
  return kept.current
}

function isSameEdge(one: GraphEdge, other: GraphEdge): boolean {
  return one.id === other.id && one.count === other.count
}

/** By all that is drawn of it. */
function isSameGroup(one: GraphGroup, other: GraphGroup): boolean {
  return one.id === other.id && one.state === other.state && groupName(one) === groupName(other)
}

/** The same object until the set of nodes or edges really changes: only then is a layout worth its time. */
function useStableShape({ nodes, edges }: GraphShape): GraphShape {
  const key = JSON.stringify([nodes, edges.map(({ from, to }) => [from, to])])
  return useMemo(() => {
    const [ids, links] = JSON.parse(key) as [string[], [string, string][]]
    return { nodes: ids, edges: links.map(([from, to]) => ({ from, to })) }
  }, [key])
}
