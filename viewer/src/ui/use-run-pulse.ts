import type { OpenRun } from '../link/viewer-state.ts'
import { useAbandoned } from './use-abandoned.ts'
import { useNow } from './use-now.ts'
import { useFacts } from './viewer-context.tsx'

/** From how many calls on what looks at all of them does so how often while the run goes on, ms; the largest first. */
const PULSES = [
  { calls: 20_000, everyMs: 1000 },
  { calls: 2000, everyMs: 500 },
] as const

/** Undefined for a run of which all calls can be looked at with every commit. */
export function pulseMs(run: OpenRun | undefined): number | undefined {
  const calls = run?.picture.instances.size ?? 0
  return PULSES.find((pulse) => calls > pulse.calls)?.everyMs
}

/**
 * A number that changes whenever what looks at all calls of the run on the screen is to do so again: with every commit, and once or twice a
 * second while a large run goes on.
 */
export function useRunPulse(): number {
  const commit = useFacts(({ run }) => run?.commit ?? 0)
  const isAbandoned = useAbandoned()
  const everyMs = useFacts(({ run }) => (run?.asOf === undefined && run?.picture.status === 'running' ? pulseMs(run) : undefined))
  const isSlow = everyMs !== undefined && !isAbandoned
  const now = useNow(everyMs ?? 1000, isSlow)
  return isSlow ? now : commit
}
