import type { InstancePicture, RunPicture } from '@graphmind-ai/schema'
import { pathToRoot } from './rows.ts'

/** From and to, epoch ms. */
export type Stretch = readonly [from: number, to: number]

/** A time in which nothing ran, drawn short. `at` and `width` are on the axis. */
export interface TimeFold {
  readonly from: number
  readonly to: number
  /** Calls were held then. */
  readonly held: boolean
  readonly at: number
  readonly width: number
}

/** Time along the timeline: as long as things ran, with the idle times between folded. Positions are ms of what is not folded. */
export interface TimeAxis {
  readonly start: number
  readonly length: number
  readonly folds: readonly TimeFold[]
  /** Where a time (epoch ms) stands. */
  toAxis(at: number): number
  toTime(position: number): number
}

/** Idle times up to this long are drawn as they are, ms. */
const SHORT_IDLE_MS = 2000
/** What a fold takes of the time that things ran. */
const FOLD_SHARE = 0.03

/** When an open call ends as far as is known: now, or when it ended. */
export function endOf(instance: InstancePicture, nowMs: number): number {
  const open = instance.status === 'running' || instance.status === 'paused'
  return Math.max(instance.startedAt, instance.endedAt ?? (open ? nowMs : instance.startedAt + (instance.durationMs ?? 0)))
}

/** The holds of each instance, its own and those of calls inside it. */
function holdsByInstance(picture: RunPicture, nowMs: number): ReadonlyMap<string, Stretch[]> {
  const holds = new Map<string, Stretch[]>()
  for (const pause of picture.pauses.values()) {
    if (pause.instanceId === undefined) continue
    const hold: Stretch = [pause.since, pause.released?.at ?? nowMs]
    for (const { id } of pathToRoot(picture, pause.instanceId)) holds.get(id)?.push(hold) ?? holds.set(id, [hold])
  }
  return holds
}

/** The parts of a stretch that none of the others covers. */
function without(whole: Stretch, others: readonly Stretch[]): readonly Stretch[] {
  const parts: Stretch[] = []
  let from = whole[0]
  for (const [start, end] of [...others].sort((one, other) => one[0] - other[0])) {
    if (start > from) parts.push([from, Math.min(start, whole[1])])
    from = Math.max(from, end)
  }
  if (from < whole[1]) parts.push([from, whole[1]])
  return parts.filter(([start, end]) => end >= start)
}

/** When anything ran, as stretches in order that do not touch. A call that waits for a person does not run, nor do those around it. */
function runningStretches(picture: RunPicture, nowMs: number): readonly Stretch[] {
  const holds = holdsByInstance(picture, nowMs)
  const merged: [number, number][] = []
  for (const instance of picture.instances.values()) {
    const end = endOf(instance, nowMs)
    const held = holds.get(instance.id)
    if (held === undefined) merge(merged, instance.startedAt, end)
    else for (const [from, to] of without([instance.startedAt, end], held)) merge(merged, from, to)
  }
  return merged
}

/** Adds a stretch to those in order, as one with all that it comes near. Looked for from the end: calls mostly come as they began. */
function merge(merged: [number, number][], from: number, to: number): void {
  let next = merged.length
  while (next > 0 && (merged[next - 1]?.[0] ?? 0) - to > SHORT_IDLE_MS) next -= 1
  let first = next
  let stretch: [number, number] = [from, to]
  for (let near = merged[first - 1]; near !== undefined && from - near[1] <= SHORT_IDLE_MS; near = merged[first - 1]) {
    if (near[0] <= from && near[1] >= to) return
    stretch = [Math.min(stretch[0], near[0]), Math.max(stretch[1], near[1])]
    first -= 1
  }
  merged.splice(first, next - first, stretch)
}

/** The axis of a run as of `nowMs` (epoch ms); a hold that still lasts is folded like one that is over. */
export function timeAxis(picture: RunPicture, nowMs: number): TimeAxis {
  const running = runningStretches(picture, nowMs)
  const start = Math.min(picture.startedAt ?? Number.POSITIVE_INFINITY, running[0]?.[0] ?? Number.POSITIVE_INFINITY)
  if (!Number.isFinite(start)) return { start: nowMs, length: 1, folds: [], toAxis: () => 0, toTime: () => nowMs }
  const open = [...picture.pauses.values()].some((pause) => pause.released === undefined)
  const lastEnd = running.at(-1)?.[1] ?? start
  const gaps = running.flatMap(([from], index): Stretch[] => {
    const before = index === 0 ? start : (running[index - 1]?.[1] ?? start)
    return from - before > SHORT_IDLE_MS ? [[before, from]] : []
  })
  if (open && nowMs - lastEnd > SHORT_IDLE_MS) gaps.push([lastEnd, nowMs])
  const end = open ? Math.max(nowMs, lastEnd) : lastEnd
  const ran = Math.max(1, end - start - gaps.reduce((sum, [from, to]) => sum + to - from, 0))
  const width = ran * FOLD_SHARE
  let saved = 0
  const folds = gaps.map(([from, to]): TimeFold => {
    const at = from - start - saved
    saved += to - from - width
    const held = [...picture.pauses.values()].some((pause) => pause.since < to && (pause.released?.at ?? nowMs) > from)
    return { from, to, held, at, width }
  })
  const toAxis = (at: number) => {
    let position = at - start
    for (const fold of folds) {
      if (at >= fold.to) position -= fold.to - fold.from - fold.width
      else if (at > fold.from) return fold.at + ((at - fold.from) / (fold.to - fold.from)) * fold.width
    }
    return position
  }
  const toTime = (position: number) => {
    let skipped = 0
    for (const fold of folds) {
      if (position >= fold.at + fold.width) skipped += fold.to - fold.from - fold.width
      else if (position > fold.at) return fold.from + ((position - fold.at) / fold.width) * (fold.to - fold.from)
    }
    return start + position + skipped
  }
  return { start, length: Math.max(1, ran + width * folds.length), folds, toAxis, toTime }
}

/** Times since the start, ms, at which a ruler of `span` ms with room for `most` labels has its marks. */
export function ticks(from: number, span: number, most: number): readonly number[] {
  const least = span / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? least
  const marks: number[] = []
  for (let at = Math.ceil(from / step) * step; at <= from + span && marks.length <= most + 1; at += step) marks.push(at)
  return marks
}
