import type { FoldState, InstanceFacts } from './state.ts'

/**
 * The instance that stands for this id: the end of its chain of aliases, whether that one has arrived or not. In a circle of aliases
 * the smallest id stands for all, so that every order of events agrees.
 */
export function resolve(state: FoldState, id: string): string {
  let target = state.facts.get(id)?.alias
  if (target === undefined) return id
  const path = new Set([id])
  while (!path.has(target)) {
    path.add(target)
    const next: string | undefined = state.facts.get(target)?.alias
    if (next === undefined) return target
    target = next
  }
  return smallestInCircle(state, target)
}

function smallestInCircle(state: FoldState, entry: string): string {
  let smallest = entry
  for (let id = state.facts.get(entry)?.alias; id !== undefined && id !== entry; id = state.facts.get(id)?.alias)
    if (id < smallest) smallest = id
  return smallest
}

/** Every id whose chain of aliases passes through this one, itself included. */
export function reachedBy(state: FoldState, id: string): Set<string> {
  const reached = new Set([id])
  for (const member of reached) for (const other of state.facts.get(member)?.aliasedBy ?? []) reached.add(other)
  return reached
}

/** True when the facts say more than where the instance belongs, so that the group's picture has to take them in. */
export function contributes(facts: InstanceFacts): boolean {
  if (facts.finish !== undefined || facts.failure !== undefined || facts.stream !== undefined || facts.pauseIds.length > 0) return true
  const start = facts.start?.payload
  return start !== undefined && (start.input ?? start.model ?? start.provider ?? start.toolCallId ?? start.ungated) !== undefined
}

/** The facts that make up the picture of a group's root: its own first, then the others' in the order of their ids. */
export function groupOf(state: FoldState, root: InstanceFacts): readonly InstanceFacts[] {
  if (root.contributors === undefined || root.contributors.size === 0) return [root]
  const others: InstanceFacts[] = []
  for (const id of [...root.contributors].sort()) {
    const facts = state.facts.get(id)
    if (facts !== undefined && contributes(facts)) others.push(facts)
  }
  return [root, ...others]
}
