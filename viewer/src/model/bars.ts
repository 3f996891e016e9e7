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
  /** How much earlier than its parent it claims to have begun, ms; 0 when it doesn't. */
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
  const parent = instance.parentInstanceId === undefined ? undefined : picture.instances.get(instance.parentInstanceId)
  const skew = parent === undefined ? 0 : parent.startedAt - instance.startedAt
  return { from: instance.startedAt, to: endOf(instance, nowMs), held, ticks, skewMs: skew >= LEAST_SKEW_MS ? skew : 0 }
}

function isLogged(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'logged' in payload && payload.logged !== undefined
}
