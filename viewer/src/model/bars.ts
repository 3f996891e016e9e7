import type { Envelope, InstancePicture, RunPicture } from '@graphmind-ai/schema'
import { endOf, type Stretch } from './time-axis.ts'

/** A thing that happened at one moment of a call; `at` is epoch ms. */
export interface BarTick {
  readonly at: number
  readonly title: string
  readonly tone: 'plain' | 'error' | 'log'
}

export interface Bar {
  readonly from: number
  readonly to: number
  /** When it was held itself. */
  readonly held: readonly Stretch[]
  readonly ticks: readonly BarTick[]
  /** How far outside the time of its parent it says it was, ms; 0 when it was inside. */
  readonly skewMs: number
}

/** A difference of clocks below this is no more than rounding, ms. */
const LEAST_SKEW_MS = 2

/** What the timeline draws of a call as of `nowMs` (epoch ms). Times are drawn as told; nothing gets a negative width. */
export function barOf(picture: RunPicture, instance: InstancePicture, events: readonly Envelope[], nowMs: number): Bar {
  const held = instance.pauseIds.flatMap((id): Stretch[] => {
    const pause = picture.pauses.get(id)
    return pause === undefined ? [] : [[pause.since, pause.released?.at ?? nowMs]]
  })
  const ticks: BarTick[] = []
  if (instance.stream !== undefined) ticks.push({ at: instance.stream.firstAt, title: 'First token', tone: 'plain' })
  for (const { type, ts, payload } of events) {
    if (type === 'node.error') ticks.push({ at: ts, title: 'Error', tone: 'error' })
    // A hit that held the call is drawn as its hold.
    else if (type === 'breakpoint.hit' && isLogged(payload)) ticks.push({ at: ts, title: 'Log point', tone: 'log' })
  }
  return { from: instance.startedAt, to: endOf(instance, nowMs), held, ticks, skewMs: skewOf(picture, instance) }
}

function skewOf(picture: RunPicture, { parentInstanceId, startedAt, endedAt }: InstancePicture): number {
  const parent = parentInstanceId === undefined ? undefined : picture.instances.get(parentInstanceId)
  if (parent === undefined) return 0
  const before = parent.startedAt - startedAt
  // One that goes on has no end to compare.
  const after = parent.endedAt === undefined ? 0 : (endedAt ?? startedAt) - parent.endedAt
  const skew = Math.max(before, after)
  return skew >= LEAST_SKEW_MS ? skew : 0
}

function isLogged(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'logged' in payload && payload.logged !== undefined
}
