import type { InstancePicture, PausePicture, RunPicture } from '@graphmind-ai/schema'
import { pathToRoot } from './rows.ts'

/** How long a call took, with the time it was held told apart; both ms. */
export interface Timing {
  /** Without what was held; undefined when not known. */
  readonly workMs: number | undefined
  readonly heldMs: number
  /** Still counting. */
  readonly open: boolean
}

/**
 * The timing of an instance as of `nowMs` (epoch ms): what was held is its own holds and those of calls inside it. An open instance of an
 * abandoned run doesn't count on.
 */
export function timingOf(picture: RunPicture, instance: InstancePicture, nowMs: number, abandoned = false): Timing {
  const running = instance.status === 'running' || instance.status === 'paused'
  const heldMs = instance.heldMs ?? heldUnionMs(holdsInside(picture, instance), nowMs)
  if (running && abandoned) return { workMs: undefined, heldMs, open: false }
  const wholeMs = running ? nowMs - instance.startedAt : instance.durationMs
  return { workMs: wholeMs === undefined ? undefined : Math.max(0, wholeMs - heldMs), heldMs, open: running }
}

function holdsInside(picture: RunPicture, instance: InstancePicture): readonly PausePicture[] {
  return [...picture.pauses.values()].filter(
    (pause) => pause.instanceId !== undefined && pathToRoot(picture, pause.instanceId).some((ancestor) => ancestor.id === instance.id),
  )
}

/** Ms in which at least one call of the run was held, up to `nowMs`. */
export function runHeldMs(picture: RunPicture, nowMs: number): number {
  return heldUnionMs([...picture.pauses.values()], nowMs)
}

/** Calls held side by side count once. */
function heldUnionMs(pauses: readonly PausePicture[], nowMs: number): number {
  const holds = pauses.map((pause) => [pause.since, pause.released?.at ?? nowMs] as const).sort(([one], [other]) => one - other)
  let held = 0
  let end = Number.NEGATIVE_INFINITY
  for (const [from, to] of holds) {
    held += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return held
}
