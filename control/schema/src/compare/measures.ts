import type { InstancePicture, RunPicture } from '../fold/picture.ts'
import { runHeldMs } from '../fold/select/held-time.ts'
import { runUsage } from '../fold/select/usage.ts'
import type { TokenUsage } from '../primitives.ts'
import type { Delta, Measures, RunTotals } from './comparison.ts'

/** What can be measured of one step; times without holds. */
export function measuresOf({ durationMs, heldMs = 0, usage, errors }: InstancePicture): Measures {
  return {
    ...(durationMs === undefined ? {} : { durationMs: Math.max(0, durationMs - heldMs) }),
    ...usageMeasures(usage),
    errors: errors.length,
  }
}

/** What can be measured of a whole run; without a duration while it goes on. */
export function totalsOf(run: RunPicture): RunTotals {
  const { startedAt, finishedAt } = run
  let errors = 0
  for (const instance of run.instances.values()) if (instance.errors.length > 0) errors += 1
  return {
    ...(startedAt === undefined || finishedAt === undefined
      ? {}
      : { durationMs: Math.max(0, finishedAt - startedAt - runHeldMs(run, finishedAt)) }),
    ...usageMeasures(runUsage(run)),
    errors,
    instances: run.instances.size,
  }
}

const MEASURES = ['durationMs', 'inputTokens', 'outputTokens', 'costUsd', 'errors'] as const

/** Right less left, of what both of them have. */
export function deltaOf(left: Measures, right: Measures): Delta {
  const known = MEASURES.flatMap((measure) => {
    const [one, other] = [left[measure], right[measure]]
    return one === undefined || other === undefined ? [] : [[measure, other - one] as const]
  })
  return Object.fromEntries(known)
}

function usageMeasures(usage: TokenUsage | undefined): Pick<Measures, 'inputTokens' | 'outputTokens' | 'costUsd'> {
  if (usage === undefined) return {}
  const { inputTokens, outputTokens, costUsd } = usage
  return { inputTokens, outputTokens, ...(costUsd === undefined ? {} : { costUsd }) }
}
