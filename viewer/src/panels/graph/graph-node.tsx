import type { NodeProps } from '@xyflow/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { beforeNode, findBreakpoint } from '../../model/breakpoints.ts'
import { count, duration, ticking } from '../../model/format.ts'
import { type GraphNode, graphNodeName, graphNodeSums } from '../../model/graph.ts'
import { STATE_WORDS } from '../../model/states.ts'
import { timingOf } from '../../model/timing.ts'
import { HeldTime } from '../../ui/held-time.tsx'
import { KindIcon } from '../../ui/kind-icon.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { useRunNow } from '../../ui/use-now.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import { BreakpointToggle } from '../breakpoints/breakpoint-toggle.tsx'
import { CardHandles } from './card-handles.tsx'
import type { CardNode } from './flow-elements.ts'
import styles from './graph.module.css'
import { NodeErrors } from './node-errors.tsx'

/** One box of the graph. The button selects an instance; the dot beside it is the breakpoint. */
export const GraphNodeCard = memo(function GraphNodeCard({ data }: NodeProps<CardNode>) {
  const { graphNode, mark, selectedInstance, direction, dim } = data
  const { kind, name, state, node } = graphNode
  const breakpoint = useFacts((facts) => findBreakpoint(facts.breakpoints, beforeNode(graphNode)) !== undefined)
  const instances = node?.instanceIds ?? []
  const walking = selectedInstance !== undefined && instances.length > 1
  return (
    <div className={styles.card} data-state={state} data-mark={mark} data-dim={dim} title={graphNodeSums(graphNode)}>
      <CardHandles direction={direction} />
      {/* The button lies over what is drawn: its name says it all, and the ticking time is not part of it. */}
      <button
        type="button"
        className={styles.button}
        aria-label={graphNodeName(graphNode, breakpoint)}
        aria-pressed={mark === 'selected'}
      />
      <div className={styles.face} aria-hidden="true">
        <span className={styles.icon}>
          <KindIcon kind={kind} size={16} />
        </span>
        <span className={styles.text}>
          <span className={styles.name}>{name}</span>
          <span className={styles.line}>
            <NodeErrors node={node} />
            <span className={styles.kindWord}>{kind}</span>
            {instances.length > 1 && !walking && <span>×{count(instances.length)}</span>}
            {instances.length > 1 && node !== undefined && node.running > 0 && <span>{count(node.running)} running</span>}
            {!walking && <LastTime graphNode={graphNode} />}
          </span>
        </span>
        <span className={styles.mark}>
          <StateMark state={state} flawed={(node?.errors ?? 0) > 0} size={16} />
        </span>
      </div>
      {walking && <Walker instanceIds={instances} selected={selectedInstance} />}
      <span className={styles.breakpoint} data-set={breakpoint}>
        <BreakpointToggle kind={kind} name={name} ungated={node?.ungated} />
      </span>
    </div>
  )
})

function Walker({ instanceIds, selected }: { instanceIds: readonly string[]; selected: string }) {
  const { select } = useSelection()
  const at = instanceIds.indexOf(selected)
  return (
    <span className={styles.walker}>
      <button
        type="button"
        aria-label="Previous time it ran"
        disabled={at <= 0}
        onClick={(event) => {
          event.stopPropagation()
          select(instanceIds[at - 1])
        }}
      >
        <ChevronLeft size={13} aria-hidden="true" />
      </button>
      {at + 1}/{instanceIds.length}
      <button
        type="button"
        aria-label="Next time it ran"
        disabled={at >= instanceIds.length - 1}
        onClick={(event) => {
          event.stopPropagation()
          select(instanceIds[at + 1])
        }}
      >
        <ChevronRight size={13} aria-hidden="true" />
      </button>
    </span>
  )
}

/** How long the last one took, or how long the running one has been at it, with the time it was held told apart. */
function LastTime({ graphNode: { node, state } }: { graphNode: GraphNode }) {
  const picture = useFacts((facts) => facts.run?.picture)
  const running = state === 'running' || state === 'step'
  const now = useRunNow(100, running)
  if (node === undefined || picture === undefined) return <span>{STATE_WORDS.hint.toLowerCase()}</span>
  if (state === 'paused') return <span className={styles.waits}>waits</span>
  if (state === 'abandoned') return <span>{STATE_WORDS.abandoned.toLowerCase()}</span>
  const wanted = (id: string) => (picture.instances.get(id)?.status === 'running') === running
  const instance = picture.instances.get(node.instanceIds.findLast(wanted) ?? '')
  if (instance === undefined) return <span>{duration(undefined)}</span>
  const { workMs, heldMs } = timingOf(picture, instance, now)
  return (
    <>
      <span>{running ? ticking(workMs ?? 0) : duration(workMs)}</span>
      <HeldTime ms={heldMs} icon={false} />
    </>
  )
}
