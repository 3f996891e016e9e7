import type { TokenUsage } from '../../primitives.ts'
import type { InstancePicture } from '../picture.ts'
import type { NodePicture } from './nodes.ts'
import { byStart } from './start-order.ts'
import { UsageSum } from './usage.ts'

/** What the executions of one node come to, kept while they come so that a node of many costs no more than one of few. */
export class NodeTally {
  /** In the order they started. */
  readonly #ids: string[] = []
  readonly #counts = { running: 0, paused: 0, ok: 0, error: 0, aborted: 0 }
  readonly #usage = new UsageSum()
  #newest: InstancePicture | undefined
  #lastEnded: InstancePicture | undefined
  #durationMs = 0
  #firstSeq = Number.POSITIVE_INFINITY

  /** Takes an instance that started after all before it; false when it did not. */
  add(instance: InstancePicture): boolean {
    if (this.#newest !== undefined && byStart(this.#newest, instance) > 0) return false
    this.#ids.push(instance.id)
    this.#newest = instance
    this.#counts[instance.status] += 1
    this.#firstSeq = Math.min(this.#firstSeq, instance.firstSeq)
    this.#end(instance)
    this.#usage.add(instance.usage)
    return true
  }

  /** Takes what became of an instance it has; false when that takes back something it said before, which only counting anew can do. */
  replace(before: InstancePicture, after: InstancePicture): boolean {
    const { startedAt, startNanos, firstSeq, durationMs, usage } = before
    if (startedAt !== after.startedAt || startNanos !== after.startNanos || firstSeq !== after.firstSeq) return false
    if (durationMs !== undefined && durationMs !== after.durationMs) return false
    if (usage !== undefined && usage !== after.usage) return false
    this.#counts[before.status] -= 1
    this.#counts[after.status] += 1
    if (this.#newest?.id === after.id) this.#newest = after
    if (durationMs === undefined) this.#end(after)
    if (usage === undefined) this.#usage.add(after.usage)
    return true
  }

  /** Undefined before it has any. The ids grow in place. */
  picture(nodeId: string): NodePicture | undefined {
    const newest = this.#newest
    if (newest === undefined) return undefined
    const { running, paused, error, aborted } = this.#counts
    const lastDurationMs = this.#lastEnded?.durationMs
    const usage: TokenUsage | undefined = this.#usage.sum()
    return {
      nodeId,
      kind: newest.kind,
      name: newest.name,
      instanceIds: this.#ids,
      firstSeq: this.#firstSeq,
      running,
      paused,
      errors: error,
      aborted,
      durationMs: this.#durationMs,
      ...(lastDurationMs !== undefined && { lastDurationMs }),
      ...(usage !== undefined && { usage }),
      ...(newest.ungated !== undefined && { ungated: newest.ungated }),
    }
  }

  #end(instance: InstancePicture): void {
    if (instance.durationMs === undefined) return
    this.#durationMs += instance.durationMs
    if (this.#lastEnded === undefined || byStart(this.#lastEnded, instance) < 0) this.#lastEnded = instance
  }
}
