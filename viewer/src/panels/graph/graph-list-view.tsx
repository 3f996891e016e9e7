import { Layers } from 'lucide-react'
import { useMemo } from 'react'
import { beforeNode, findBreakpoint } from '../../model/breakpoints.ts'
import { count } from '../../model/format.ts'
import { type GraphEdge, type GraphNode, graphNodeName } from '../../model/graph.ts'
import { type GraphGroup, groupName } from '../../model/graph-groups.ts'
import { graphList } from '../../model/graph-list.ts'
import { KindIcon } from '../../ui/kind-icon.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './graph.module.css'
import { NodeErrors } from './node-errors.tsx'

interface GraphListViewProps {
  readonly nodes: readonly (GraphNode | GraphGroup)[]
  readonly edges: readonly GraphEdge[]
  readonly selectedNode: string | undefined
  readonly onPick: (nodeId: string) => void
  readonly onOpen: (group: GraphGroup) => void
}

/** The graph as an indented list, for screen readers and for taste. */
export function GraphListView({ nodes, edges, selectedNode, onPick, onOpen }: GraphListViewProps) {
  const breakpoints = useFacts((state) => state.breakpoints)
  const lines = useMemo(() => graphList(nodes, edges), [nodes, edges])
  return (
    <ol className={styles.list} aria-label="Nodes of the graph">
      {lines.map(({ key, node, level, taken, again }) => (
        <li key={key} data-id={node.id} style={{ paddingLeft: (level - 1) * 20 }}>
          {'words' in node ? (
            <button type="button" className={styles.listNode} aria-expanded={false} disabled={node.isFull} onClick={() => onOpen(node)}>
              <Layers size={14} aria-hidden="true" />
              <span>{groupName(node)}</span>
              {again && <small>as above</small>}
              <StateMark state={node.state} size={14} />
              <span className="visually-hidden">, level {level}</span>
            </button>
          ) : (
            <button
              type="button"
              className={styles.listNode}
              data-state={node.state}
              aria-pressed={node.id === selectedNode}
              onClick={() => onPick(node.id)}
            >
              <KindIcon kind={node.kind} size={14} />
              <span>{node.name}</span>
              {taken !== undefined && taken > 1 && <small>×{count(taken)}</small>}
              {again && <small>as above</small>}
              <NodeErrors node={node.node} />
              <StateMark state={node.state} flawed={(node.node?.errors ?? 0) > 0} size={14} />
              <span className="visually-hidden">
                , {graphNodeName(node, findBreakpoint(breakpoints, beforeNode(node)) !== undefined)}, level {level}
              </span>
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}
