import type { FoldContext } from '../change.ts'
import { overlay } from '../fields.ts'
import type { EventOf } from '../state.ts'

/** The run began, or says better what it is; `reopened` makes a finished run run again. */
export function foldRunStarted({ run, changed }: FoldContext, { payload, ts }: EventOf<'run.started'>): void {
  run.app = payload.app
  run.sdk = payload.sdk
  if (payload.meta !== undefined) run.meta = overlay(run.meta, payload.meta)
  const name = run.meta['name']
  if (typeof name === 'string' && name !== '') run.name = name
  run.startedAt = Math.min(run.startedAt ?? ts, ts)
  changed.run = true
  if (payload.reopened !== true) return
  run.status = 'running'
  delete run.finishedAt
  delete run.error
}

export function foldRunFinished({ run, changed }: FoldContext, { payload, ts }: EventOf<'run.finished'>): void {
  run.status = payload.status
  run.finishedAt = ts
  if (payload.error === undefined) delete run.error
  else run.error = payload.error
  changed.run = true
}
