import { childrenOf, type RunPicture, rootInstances } from '@graphmind-ai/schema'
import { endOf } from './time-axis.ts'

/** That calls of one box were followed by calls of another, `count` times. */
export interface OrderEdge {
  readonly from: string
  readonly to: string
  readonly count: number
}

/**
 * What followed what among the calls of one caller: from each call to those that began after its end with no other call in between.
 * Calls that ran side by side follow none of each other, and the one after them follows all.
 */
export function orderEdges(picture: RunPicture, nodeOf: (instanceId: string) => string | undefined): readonly OrderEdge[] {
  const edges = new Map<string, { from: string; to: string; count: number }>()
  const families = [rootInstances(picture)]
  for (const { id } of picture.instances.values()) {
    const children = childrenOf(picture, id)
    if (children.length > 1) families.push(children)
  }
  for (const ids of families) {
    for (const [before, after] of followings(picture, ids)) {
      const [from, to] = [nodeOf(before), nodeOf(after)]
      if (from === undefined || to === undefined) continue
      const key = `${from}\u0000${to}`
      const known = edges.get(key)
      if (known === undefined) edges.set(key, { from, to, count: 1 })
      else known.count += 1
    }
  }
  return [...edges.values()]
}

/** Pairs of siblings of which the second came right after the first. */
function followings(picture: RunPicture, ids: readonly string[]): readonly (readonly [string, string])[] {
  const calls = ids.flatMap((id) => {
    const instance = picture.instances.get(id)
    return instance === undefined ? [] : [{ id, start: instance.startedAt, end: endOf(instance, Number.POSITIVE_INFINITY) }]
  })
  const byEnd = [...calls].sort((one, other) => one.end - other.end)
  const pairs: [string, string][] = []
  let ended = 0
  let lastStart = Number.NEGATIVE_INFINITY
  for (const call of calls) {
    for (let next = byEnd[ended]; next !== undefined && next.end <= call.start && next.id !== call.id; next = byEnd[ended]) {
      lastStart = Math.max(lastStart, next.start)
      ended += 1
    }
    // A call that ended before the start of another that ended too has that one in between.
    for (let at = ended - 1; at >= 0; at -= 1) {
      const before = byEnd[at]
      if (before === undefined || (before.end <= lastStart && before.start !== lastStart)) break
      pairs.push([before.id, call.id])
    }
  }
  return pairs
}
