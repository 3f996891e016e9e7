import { groupOf } from './aliases.ts'
import type { FoldContext } from './change.ts'
import { nodeState } from './state.ts'

/** The node's instance that came last and has not finished. */
export function mostRecentOpen(context: FoldContext, nodeId: string): string | undefined {
  const { recent } = nodeState(context.state, nodeId)
  for (let id = recent.at(-1); id !== undefined; id = recent.at(-1)) {
    if (isOpen(context, id, nodeId)) return id
    recent.pop()
  }
  return undefined
}

function isOpen({ run, state }: FoldContext, id: string, nodeId: string): boolean {
  const facts = state.facts.get(id)
  return (
    facts !== undefined && run.instances.get(id)?.nodeId === nodeId && groupOf(state, facts).every((member) => member.finish === undefined)
  )
}

/** The node's instance that came last, finished or not. */
export function latest(context: FoldContext, nodeId: string): string | undefined {
  const { latest: id } = nodeState(context.state, nodeId)
  return id !== undefined && context.run.instances.get(id)?.nodeId === nodeId ? id : undefined
}
