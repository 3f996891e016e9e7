import { resolve } from '../aliases.ts'
import type { FoldContext } from '../change.ts'
import { own } from '../own-pause.ts'
import { refreshInstance, refreshPause } from '../refresh.ts'
import { type EventOf, type PauseFacts, pauseFacts } from '../state.ts'
import { touch } from '../touch.ts'
import { attributePause } from '../waiting.ts'

type PauseEvent = EventOf<'exec.paused'> | EventOf<'exec.resumed'> | EventOf<'exec.refused'>

/** Files what happened to a pause, in whatever order it comes, and shows it on the pause and on its instance. */
export function foldPause(context: FoldContext, event: PauseEvent): void {
  const { state } = context
  const pause = pauseFacts(state, event.payload.pauseId)
  record(pause, event)
  if (event.type !== 'exec.refused') findOwner(context, pause, event)
  refreshPause(context, pause)
  if (pause.owner === undefined) return
  touch(state, pause.owner, event.seq)
  refreshInstance(context, resolve(state, pause.owner))
}

function record(pause: PauseFacts, event: PauseEvent): void {
  switch (event.type) {
    case 'exec.paused':
      pause.held = event
      break
    case 'exec.resumed':
      pause.released = event
      break
    case 'exec.refused':
      pause.refused = event
      break
    default:
      event satisfies never
  }
}

function findOwner(context: FoldContext, pause: PauseFacts, { type, payload }: EventOf<'exec.paused'> | EventOf<'exec.resumed'>): void {
  const { instanceId, nodeId } = payload
  // The two may disagree only when one was sent without knowing; the hold itself knows best.
  if (instanceId !== undefined && (type === 'exec.paused' || !pause.ownerSent)) {
    pause.ownerSent = true
    own(context, pause, instanceId)
  } else if (pause.owner === undefined && nodeId !== undefined) attributePause(context, pause, nodeId)
}
