import type { InstancePicture, RunInfo, RunMode, RunPicture } from '@graphmind-ai/schema'
import { dateTime } from './format.ts'

/** What a state mark can show. `abandoned` is the server's finding, `hint` a node that was not reached. */
export type ShownState = 'running' | 'step' | 'paused' | 'ok' | 'error' | 'aborted' | 'abandoned' | 'hint'

export const STATE_WORDS: Record<ShownState, string> = {
  running: 'Running',
  step: 'Step',
  paused: 'Paused',
  ok: 'Finished',
  error: 'Failed',
  aborted: 'Aborted',
  abandoned: 'Abandoned',
  hint: 'Not reached',
}

/**
 * What becomes of the open calls of a run: while `stepping` its agent holds again at the next gate point, and those of an `abandoned` run
 * will not end any more.
 */
export type Outlook = 'going' | 'stepping' | 'abandoned'

/** The outlook of a run as of now, in the mode that all agents were told. */
export function outlookOf(info: RunInfo | undefined, mode: RunMode): Outlook {
  if (info?.status === 'abandoned') return 'abandoned'
  // Without a control link nothing is held, whatever the mode.
  return info?.status === 'running' && info.live && mode === 'step' ? 'stepping' : 'going'
}

/** The state of a call, in words and colour: an open one depends on the outlook of its run. */
export function instanceState(picture: RunPicture, instance: InstancePicture, outlook: Outlook): ShownState {
  const { status, pauseIds } = instance
  if (outlook === 'abandoned' && (status === 'running' || status === 'paused')) return 'abandoned'
  if (outlook !== 'stepping' || status !== 'running') return status
  return wasLetGo(picture, pauseIds.at(-1)) ? 'step' : 'running'
}

function wasLetGo(picture: RunPicture, pauseId: string | undefined): boolean {
  const released = pauseId === undefined ? undefined : picture.pauses.get(pauseId)?.released
  return released !== undefined && released.action !== 'abort'
}

/** What a person changed about a call, undefined when nobody did. */
export function touchedWords({ injected, edited }: InstancePicture): string | undefined {
  if (injected !== undefined) return 'output was injected'
  return edited === undefined ? undefined : 'input was edited'
}

/** The run's state: a waiter beats all, then what the server knows, then what the events said. In the past there is no mode but `run`. */
export function runState(info: RunInfo | undefined, picture: RunPicture | undefined, mode: RunMode): ShownState {
  if (info?.status === 'abandoned') return 'abandoned'
  if (picture !== undefined && picture.status !== 'running') return picture.status
  if (info !== undefined && info.status !== 'running') return info.status
  const held = picture === undefined ? (info?.held ?? 0) > 0 : [...picture.pauses.values()].some((pause) => pause.released === undefined)
  if (held) return 'paused'
  if (outlookOf(info, mode) !== 'stepping') return 'running'
  // A run in which nothing was held yet was not released for a step.
  const letGo = picture === undefined ? (info?.heldMs ?? 0) > 0 : [...picture.pauses.keys()].some((id) => wasLetGo(picture, id))
  return letGo ? 'step' : 'running'
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
