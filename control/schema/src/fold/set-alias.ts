import { contributes, reachedBy, resolve } from './aliases.ts'
import type { FoldContext } from './change.ts'
import { refreshInstance, refreshPause } from './refresh.ts'
import { type FoldState, factsOf, type InstanceFacts } from './state.ts'

/** Makes the instance an alias of the target, or its own again, and moves everything that hangs on it. */
export function setAlias(context: FoldContext, facts: InstanceFacts, target: string | undefined): void {
  const { run, state } = context
  const moving = reachedBy(state, facts.id)
  const stale = new Set([resolve(state, facts.id)])
  if (facts.alias !== undefined) state.facts.get(facts.alias)?.aliasedBy?.delete(facts.id)
  facts.alias = target
  if (target !== undefined) {
    const other = factsOf(state, target)
    other.aliasedBy ??= new Set()
    other.aliasedBy.add(facts.id)
  }
  // Once more after the change: closing a circle adds the ones on its other side.
  for (const id of reachedBy(state, facts.id)) moving.add(id)
  const roots = new Map<string, string>()
  for (const id of moving) roots.set(id, resolve(state, id))
  for (const [id, root] of roots) {
    stale.add(id)
    stale.add(root)
    if (root === id) run.aliases.delete(id)
    else run.aliases.set(id, root)
  }
  moveContributions(state, roots, stale)
  for (const id of stale) refreshInstance(context, id)
  for (const id of moving) {
    const member = state.facts.get(id)
    for (const child of member?.children ?? []) refreshInstance(context, resolve(state, child))
    for (const pauseId of member?.pauseIds ?? []) {
      const pause = state.pauses.get(pauseId)
      if (pause !== undefined) refreshPause(context, pause)
    }
  }
}

function moveContributions(state: FoldState, roots: ReadonlyMap<string, string>, stale: ReadonlySet<string>): void {
  for (const id of stale) {
    const contributors = state.facts.get(id)?.contributors
    if (contributors === undefined) continue
    for (const member of contributors) if (roots.has(member)) contributors.delete(member)
  }
  for (const [id, root] of roots) noteContribution(state, id, root)
}

/** Puts the instance on its root's list once it has something to say there. */
export function noteContribution(state: FoldState, id: string, root: string): void {
  const facts = state.facts.get(id)
  if (id === root || facts === undefined || !contributes(facts)) return
  const rootFacts = factsOf(state, root)
  rootFacts.contributors ??= new Set()
  rootFacts.contributors.add(id)
}
