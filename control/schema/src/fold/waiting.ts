import { latest, mostRecentOpen } from './attribution.ts'
import type { FoldContext } from './change.ts'
import { foldNodeFact } from './events/node-facts.ts'
import { own } from './own-pause.ts'
import { nodeState, type PauseFacts, type UnattributedEvent } from './state.ts'

/**
 * Finds the instance of an event that names only its node: the most recent open one (contract, "Always send instanceId"), else the
 * most recent one, else the first that will come.
 */
export function attributeFact(context: FoldContext, event: UnattributedEvent): void {
  const { nodeId } = event.payload
  const id = mostRecentOpen(context, nodeId) ?? latest(context, nodeId)
  if (id === undefined) nodeState(context.state, nodeId).waiting.push(event)
  else foldNodeFact(context, event, id)
}

/** The same for a pause, except that a hold before the call never belongs to an instance that has finished. */
export function attributePause(context: FoldContext, pause: PauseFacts, nodeId: string): void {
  const beforeCall = pause.held?.payload.point === 'before'
  const id = mostRecentOpen(context, nodeId) ?? (beforeCall ? undefined : latest(context, nodeId))
  if (id !== undefined) own(context, pause, id)
  else waitFor(context, pause, nodeId)
}

function waitFor(context: FoldContext, pause: PauseFacts, nodeId: string): void {
  const { waitingPauses } = nodeState(context.state, nodeId)
  if (!waitingPauses.includes(pause.id)) waitingPauses.push(pause.id)
}

/** Gives what waited for an instance of this node to the one that has just come. */
export function applyWaiting(context: FoldContext, id: string, nodeId: string): void {
  const node = nodeState(context.state, nodeId)
  for (const event of node.waiting.splice(0)) foldNodeFact(context, event, id)
  for (const pauseId of node.waitingPauses.splice(0)) {
    const pause = context.state.pauses.get(pauseId)
    if (pause !== undefined && pause.owner === undefined) own(context, pause, id)
  }
}
