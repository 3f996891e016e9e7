import type { InstancePicture, RunInfo, RunPicture } from '@graphmind-ai/schema'
import { dateTime } from './format.ts'

/** What a state mark can show. `abandoned` is the server's finding, `hint` a node that was not reached. */
export type ShownState = 'running' | 'paused' | 'ok' | 'error' | 'aborted' | 'abandoned' | 'hint'

export const STATE_WORDS: Record<ShownState, string> = {
  running: 'Running',
  paused: 'Paused',
  ok: 'Finished',
  error: 'Failed',
  aborted: 'Aborted',
  abandoned: 'Abandoned',
  hint: 'Not reached',
}

/** An open call of an abandoned run will not end any more, so it is not shown as running. */
export function instanceState(instance: InstancePicture, abandoned: boolean): ShownState {
  return abandoned && (instance.status === 'running' || instance.status === 'paused') ? 'abandoned' : instance.status
}

/** What a person changed about a call, undefined when nobody did. */
export function touchedWords({ injected, edited }: InstancePicture): string | undefined {
  if (injected !== undefined) return 'output was injected'
  return edited === undefined ? undefined : 'input was edited'
}

/** The run's state: a waiter beats all, then what the server knows, then what the events said. */
export function runState(info: RunInfo | undefined, picture: RunPicture | undefined): ShownState {
  if (info?.status === 'abandoned') return 'abandoned'
  if (picture !== undefined && picture.status !== 'running') return picture.status
  if (info !== undefined && info.status !== 'running') return info.status
  const held = picture === undefined ? (info?.held ?? 0) > 0 : [...picture.pauses.values()].some((pause) => pause.released === undefined)
  return held ? 'paused' : 'running'
}

export type LinkKind = 'attached' | 'detached' | 'imported'

export const LINK_WORDS: Record<LinkKind, string> = { attached: 'Attached', detached: 'Detached', imported: 'Imported' }

/** What can be done with the run: full control, watching only, or reading only. */
export function linkKind(info: RunInfo): LinkKind {
  if (info.source === 'import') return 'imported'
  return info.live ? 'attached' : 'detached'
}

/** Why a run is detached and, as far as that is known, since when, in one sentence; undefined when it isn't. */
export function detachedReason(info: RunInfo): string | undefined {
  if (info.source === 'import' || info.live) return undefined
  const since = info.detachedSince === undefined ? undefined : dateTime(info.detachedSince)
  switch (info.status) {
    case 'running':
      return since === undefined
        ? 'Events arrive, but the agent opened no control link: you can watch, not hold.'
        : `The agent’s control link is gone since ${since}: you can watch, not hold.`
    case 'abandoned':
      return since === undefined ? 'The agent’s control link is gone.' : `The agent’s control link is gone since ${since}.`
    default:
      return since === undefined
        ? 'The run is over, and its agent is no longer connected.'
        : `The run is over, and its agent is no longer connected since ${since}.`
  }
}
