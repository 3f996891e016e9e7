import type { BreakpointMatcher } from '@graphmind-ai/schema'
import { X } from 'lucide-react'
import { Switch } from 'radix-ui'
import type { BreakpointState } from '../../link/viewer-state.ts'
import { breakpointWords, COMMON_BREAKPOINTS, findBreakpoint, sameBreakpoint } from '../../model/breakpoints.ts'
import { plural } from '../../model/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './breakpoints.module.css'

/** The collector's breakpoints: the three that everyone needs as switches, the others as rows in words. */
export function BreakpointsPanel({ titled = true }: { titled?: boolean }) {
  const { actions } = useViewer()
  const breakpoints = useFacts((state) => state.breakpoints)
  const ready = useFacts((state) => state.link.phase === 'live')
  const others = breakpoints.filter((matcher) => !COMMON_BREAKPOINTS.some((common) => sameBreakpoint(common.matcher, matcher)))
  return (
    <section className={styles.panel} aria-label="Breakpoints">
      {titled && <h2>Breakpoints</h2>}
      <ul>
        {COMMON_BREAKPOINTS.map(({ label, matcher }) => {
          const set = findBreakpoint(breakpoints, matcher)
          const id = `breakpoint-${label.replaceAll(' ', '-')}`
          return (
            <li key={label} className={styles.common}>
              <label htmlFor={id}>{label}</label>
              <Switch.Root
                id={id}
                className={styles.switch}
                checked={set !== undefined}
                disabled={!ready}
                onCheckedChange={() => (set === undefined ? actions.setBreakpoint(matcher) : actions.clearBreakpoint(set))}
              >
                <Switch.Thumb className={styles.thumb} />
              </Switch.Root>
            </li>
          )
        })}
        {others.map((matcher) => (
          <BreakpointRow key={JSON.stringify(matcher)} matcher={matcher} />
        ))}
      </ul>
    </section>
  )
}

function BreakpointRow({ matcher }: { matcher: BreakpointMatcher }) {
  const { actions } = useViewer()
  const id = typeof matcher['id'] === 'string' ? matcher['id'] : undefined
  const state = useFacts(({ breakpointStates }) => (id === undefined ? undefined : breakpointStates.get(id)))
  const words = breakpointWords(matcher)
  return (
    <li className={styles.row}>
      <span className={styles.rowDot} aria-hidden="true" />
      <span className={styles.words}>
        {words}
        {state !== undefined && <small>{stateWords(state)}</small>}
      </span>
      <IconButton label={`Remove the breakpoint ${words}`} onClick={() => actions.clearBreakpoint(matcher)}>
        <X size={13} aria-hidden="true" />
      </IconButton>
    </li>
  )
}

function stateWords({ status, reason, hits, lastError }: BreakpointState): string {
  switch (status) {
    case 'active':
      return plural(hits, 'hit')
    case 'waiting':
      return 'Waiting for an agent'
    case 'impossible':
      return `Not possible here${reason === undefined ? '' : `: ${reason}`}`
    case 'failed':
      return `Condition failed${lastError === undefined ? '' : `: ${lastError}`}`
    case 'disabled':
      return 'Switched off'
  }
}
