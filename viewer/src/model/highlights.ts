import { childrenOf, type InstancePicture, type RunPicture } from '@graphmind-ai/schema'

/** What one looks for first in a run that nobody has selected anything in. */
export interface Highlights {
  /** Calls that failed, the latest first. */
  readonly failed: readonly InstancePicture[]
  readonly failures: number
  /** Calls that took longest among those that call nothing themselves. */
  readonly slowest: readonly InstancePicture[]
}

/** Failed and slow calls of a run, at most `most` of each. */
export function highlights(picture: RunPicture, most: number): Highlights {
  const failed: InstancePicture[] = []
  const slowest: InstancePicture[] = []
  let failures = 0
  for (const instance of picture.instances.values()) {
    if (instance.status === 'error') {
      failures += 1
      failed.push(instance)
      if (failed.length > most) failed.shift()
    }
    const { durationMs } = instance
    if (durationMs === undefined || durationMs <= (slowest[most - 1]?.durationMs ?? 0) || childrenOf(picture, instance.id).length > 0)
      continue
    const at = slowest.findIndex((other) => (other.durationMs ?? 0) < durationMs)
    slowest.splice(at < 0 ? slowest.length : at, 0, instance)
    if (slowest.length > most) slowest.pop()
  }
  return { failed: failed.reverse(), failures, slowest }
}
