import { RESUME_ACTIONS } from '../primitives.ts'
import type { PausePicture } from './picture.ts'
import type { EventOf, PauseFacts } from './state.ts'

type Draft = { -readonly [Key in keyof PausePicture]: PausePicture[Key] }
type Released = NonNullable<PausePicture['released']>

/** The picture of a pause whose exec.paused has come; `instanceId` is the shown instance it belongs to, as far as known. */
export function derivePause(held: EventOf<'exec.paused'>, pause: PauseFacts, instanceId: string | undefined): PausePicture {
  const { payload, ts, seq } = held
  const draft: Draft = {
    pauseId: pause.id,
    point: payload.point,
    reason: payload.reason ?? (payload.point === 'error' ? 'error' : 'breakpoint'),
    nodeId: payload.nodeId,
    actions: payload.actions ?? RESUME_ACTIONS,
    editable: payload.editable ?? false,
    since: ts,
    seq,
  }
  put(draft, 'kind', payload.kind)
  put(draft, 'name', payload.name)
  put(draft, 'instanceId', instanceId)
  put(draft, 'parentInstanceId', payload.parentInstanceId)
  put(draft, 'error', payload.error)
  put(draft, 'matcher', payload.matcher)
  put(draft, 'loop', payload.loop)
  put(draft, 'smart', payload.smart)
  put(draft, 'deadlineMs', payload.deadlineMs)
  put(draft, 'watched', payload.watched)
  // A held value may really be null, so these two are taken as they are.
  if (payload.input !== undefined) draft.input = payload.input
  if (payload.output !== undefined) draft.output = payload.output
  if (pause.refused !== undefined) draft.refused = refusal(pause.refused)
  if (pause.released !== undefined) draft.released = release(pause.released, ts)
  return draft
}

function put<Key extends keyof Draft>(draft: Draft, key: Key, value: Draft[Key] | undefined): void {
  if (value !== undefined) draft[key] = value
}

function refusal({ payload }: EventOf<'exec.refused'>): NonNullable<PausePicture['refused']> {
  const { code, message, requestId } = payload
  return { code, ...(message !== undefined && { message }), ...(requestId !== undefined && { requestId }) }
}

function release({ payload, ts }: EventOf<'exec.resumed'>, since: number): Released {
  const { action, cause, injected, edited, principal, operator, requestId, heldMs } = payload
  return {
    at: ts,
    action,
    cause: cause ?? 'viewer',
    heldMs: heldMs ?? Math.max(0, ts - since),
    ...(injected !== undefined && { injected: { output: injected.output } }),
    ...(edited !== undefined && { edited: { after: edited.after } }),
    ...(principal !== undefined && { principal }),
    ...(operator !== undefined && { operator }),
    ...(requestId !== undefined && { requestId }),
  }
}
