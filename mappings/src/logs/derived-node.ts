import type { MappedNode } from '../mapped-span.ts'
import { countOf, numberOf } from '../read/attribute.ts'
import type { LogView } from './log-view.ts'

/** A node that has no span: put together from log records. */
export interface DerivedNode {
  readonly id: string
  readonly parentId: string | undefined
  readonly startNanos: bigint
  /** Absent while it goes on. */
  readonly endNanos: bigint | undefined
  readonly mapped: MappedNode
}

/** When the thing that a record tells the end of began: `duration_ms` before it. */
export function startOf({ attributes, timeNanos }: LogView): bigint {
  const ms = countOf(attributes, 'duration_ms') ?? numberOf(attributes, 'duration_ms')
  return ms === undefined ? timeNanos : timeNanos - BigInt(Math.round(ms * 1e6))
}

/** Records in order of time; those of one moment by the sequence their sender gave them. */
export function inOrder(logs: readonly LogView[]): readonly LogView[] {
  const sequence = (log: LogView) => numberOf(log.attributes, 'event.sequence') ?? 0
  return [...logs].sort((one, other) =>
    one.timeNanos === other.timeNanos ? sequence(one) - sequence(other) : one.timeNanos < other.timeNanos ? -1 : 1,
  )
}
