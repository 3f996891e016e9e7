import { useRef } from 'react'

/**
 * A React key for each row in sight: a row that comes takes the elements of one that went, which saves making them while a list scrolls.
 * `isHeld` tells of a row whose elements no other may take, such as the one with the focus.
 */
export function useRowSlots(ids: readonly string[], isHeld: (id: string) => boolean): ReadonlyMap<string, number> {
  const slots = useRef<ReadonlyMap<string, number>>(new Map())
  const next = useRef(0)
  const wanted = new Set(ids)
  const free: number[] = []
  for (const [id, slot] of slots.current) if (!wanted.has(id) && !isHeld(id)) free.push(slot)
  free.reverse()
  const taken = new Map<string, number>()
  for (const id of ids) {
    let slot = slots.current.get(id) ?? free.pop()
    if (slot === undefined) {
      slot = next.current
      next.current += 1
    }
    taken.set(id, slot)
  }
  slots.current = taken
  return taken
}
