import { heldMsOf, type InstancePicture, type PausePicture, type RunPicture } from '@graphmind-ai/schema'
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
  const heldMs = instance.heldMs ?? heldMsOf(holdsInside(picture, instance), nowMs)
  if (running && abandoned) return { workMs: undefined, heldMs, open: false }
  if (waitsToBegin(picture, instance)) return { workMs: undefined, heldMs, open: true }
  const wholeMs = running ? nowMs - instance.startedAt : instance.durationMs
  return { workMs: wholeMs === undefined ? undefined : Math.max(0, wholeMs - heldMs), heldMs, open: running }
}

/** Held before it ran for the first time: it has taken no time, which is not the same as having taken none. */
function waitsToBegin(picture: RunPicture, { status, pauseIds }: InstancePicture): boolean {
  const [first, ...later] = pauseIds
  return status === 'paused' && later.length === 0 && first !== undefined && picture.pauses.get(first)?.point === 'before'
}

function holdsInside(picture: RunPicture, instance: InstancePicture): readonly PausePicture[] {
  return [...picture.pauses.values()].filter(
    (pause) => pause.instanceId !== undefined && pathToRoot(picture, pause.instanceId).some((ancestor) => ancestor.id === instance.id),
  )
}
