import { resolve } from './aliases.ts'
import type { FoldContext } from './change.ts'
import { refreshInstance, refreshPause } from './refresh.ts'
import { noteContribution } from './set-alias.ts'
import { factsOf, type PauseFacts } from './state.ts'

/** Makes the pause one of this instance's, and no longer of the one it was guessed to be of. */
export function own(context: FoldContext, pause: PauseFacts, id: string): void {
  const { state } = context
  const before = pause.owner
  if (before === id) return
  pause.owner = id
  if (before !== undefined) {
    const facts = factsOf(state, before)
    facts.pauseIds = facts.pauseIds.filter((pauseId) => pauseId !== pause.id)
    refreshInstance(context, resolve(state, before))
  }
  const facts = factsOf(state, id)
  facts.pauseIds = [...facts.pauseIds, pause.id]
  const root = resolve(state, id)
  noteContribution(state, id, root)
  refreshInstance(context, root)
  refreshPause(context, pause)
}
