import type { NodeKind } from '@graphmind-ai/schema'
import { beforeNode, breakpointWords, coveringBreakpoint, findBreakpoint } from '../../model/breakpoints.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './breakpoints.module.css'

interface BreakpointToggleProps {
  readonly kind: NodeKind
  readonly name: string
  /** Why no breakpoint can hold this node, when that is known. */
  readonly ungated?: string | undefined
  /** Stands in a list that is one tab stop; there the key B does the same. */
  readonly inList?: boolean
}

/** The dot at a node or row: a breakpoint before it, on or off. Half filled when a wider one already covers it. */
export function BreakpointToggle({ kind, name, ungated, inList = false }: BreakpointToggleProps) {
  const { actions, recorded } = useViewer()
  const breakpoints = useFacts((state) => state.breakpoints)
  const wanted = beforeNode({ kind, name })
  const set = findBreakpoint(breakpoints, wanted)
  const covering = set === undefined ? coveringBreakpoint(breakpoints, { kind, name }) : undefined
  const label = `Break before ${kind} ${name}`
  if (recorded !== undefined) return null
  const hints = [
    set === undefined ? label : `${label}: on`,
    covering === undefined ? undefined : `Already held by “${breakpointWords(covering)}”`,
    ungated === undefined ? undefined : `Can’t hold here: ${ungated}`,
  ]
  return (
    <button
      type="button"
      className={styles.toggle}
      tabIndex={inList ? -1 : undefined}
      aria-label={label}
      aria-pressed={set !== undefined}
      title={hints.filter(Boolean).join('\n')}
      data-covered={covering !== undefined}
      data-ungated={ungated !== undefined}
      onClick={(event) => {
        event.stopPropagation()
        if (set === undefined) actions.setBreakpoint(wanted)
        else actions.clearBreakpoint(set)
      }}
    >
      <span className={styles.dot} aria-hidden="true" />
    </button>
  )
}
