import type { InstancePicture, PausePicture, RunPicture } from '../picture.ts'
import { Stretches } from './stretches.ts'

/** Ms in which at least one of these pauses held, as of `nowMs` (epoch ms). */
export function heldMsOf(pauses: Iterable<PausePicture>, nowMs: number): number {
  const held = new Stretches()
  for (const { since, released } of pauses) held.add(since, released?.at ?? nowMs)
  return held.within(Number.NEGATIVE_INFINITY, nowMs)
}

/**
 * Ms of the run in which at least one of its calls was held, as of `nowMs` (epoch ms): its duration is what is left. Work that went on
 * beside a held call is left out with it, so that a run in which somebody looked around is comparable with one that was let run.
 */
export function runHeldMs({ startedAt, finishedAt, pauses, instances }: RunPicture, nowMs: number): number {
  const held = new Stretches()
  for (const { since, released } of pauses.values()) held.add(since, released?.at ?? nowMs)
  if (pauses.size === 0) for (const instance of instances.values()) addOwnWord(held, instance)
  return held.within(startedAt ?? Number.NEGATIVE_INFINITY, finishedAt ?? nowMs)
}

/** Spans read from elsewhere say how long their call was held and not when: most are held before they run. */
function addOwnWord(held: Stretches, { startedAt, heldMs }: InstancePicture): void {
  if (heldMs !== undefined) held.add(startedAt, startedAt + heldMs)
}
