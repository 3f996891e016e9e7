import type { InstancePicture } from '../picture.ts'

/** Orders instances by when they started: by the millisecond, then by the nanosecond where both have one, then as they came. */
export function byStart(one: InstancePicture, other: InstancePicture): number {
  return (
    one.startedAt - other.startedAt ||
    byNanos(one.startNanos, other.startNanos) ||
    one.firstSeq - other.firstSeq ||
    (one.id < other.id ? -1 : 1)
  )
}

// Decimal strings of equal length sort like the numbers they are, without a bigint each.
function byNanos(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined || one === other) return 0
  return one.length - other.length || (one < other ? -1 : 1)
}
