import type { OpenRun } from '../link/viewer-state.ts'
import { useAbandoned } from './use-abandoned.ts'
import { useNow } from './use-now.ts'
import { useFacts } from './viewer-context.tsx'

const MANY_CALLS = 2000
/** How often what looks at all calls of a large run does so while the run goes on. */
export const LARGE_PULSE_MS = 500

export function isLargeRun(run: OpenRun | undefined): boolean {
  return run !== undefined && run.picture.instances.size > MANY_CALLS
}

/**
 * A number that changes whenever what looks at all calls of the run on the screen is to do so again: with every commit, and twice a second
 * while a large run goes on.
 */
export function useRunPulse(): number {
  const commit = useFacts(({ run }) => run?.commit ?? 0)
  const isAbandoned = useAbandoned()
  const isLarge = useFacts(({ run }) => isLargeRun(run) && run?.asOf === undefined && run?.picture.status === 'running')
  const isSlow = isLarge && !isAbandoned
  const now = useNow(LARGE_PULSE_MS, isSlow)
  return isSlow ? now : commit
}
