import type { BreakpointMatcher, BreakpointStatus, Envelope, PausePicture, RunInfo, RunMode, RunPicture } from '@graphmind-ai/schema'

import type { CommandState } from '../model/pauses.ts'
import type { EventLog } from './event-log.ts'
import type { Behind } from './lateness.ts'

/** The link to the collector. Times are epoch ms. */
export type LinkState =
  /** `attempt` counts failed attempts so far. */
  | { readonly phase: 'connecting'; readonly attempt: number }
  | { readonly phase: 'live' }
  | { readonly phase: 'offline'; readonly attempt: number; readonly retryAt: number }

/** What became of a command that this viewer sent for a held call. */
export interface PauseRequest {
  readonly requestId: string
  readonly action: string
  /** Epoch ms. */
  readonly sentAt: number
  readonly state: CommandState
  readonly message?: string
}

/** A hold that ended while we looked on. */
export interface ReleaseNotice {
  readonly pause: PausePicture
  readonly mine: boolean
}

/** Events of a history that are here, and how many it has. */
export interface HistoryProgress {
  readonly done: number
  readonly total: number
}

/** The run on the screen. The picture is the fold's own and changes in place; `commit` says that it did. */
export interface OpenRun {
  readonly runId: string
  readonly picture: RunPicture
  readonly commit: number
  /** Counts changes to the set or the places of instances. */
  readonly structure: number
  readonly phase: 'loading' | 'ready' | 'missing'
  /** While the run is shown before its history is complete: when the last event that is shown was, epoch ms. */
  readonly toldUntil: number | undefined
  /** Instances that began live since the last commit. */
  readonly fresh: readonly string[]
  /** Events of each instance as received, streamed pieces left out. */
  readonly log: EventLog
  readonly notices: readonly ReleaseNotice[]
  /** Why the run can't be shown, when it is missing. */
  readonly problem: string | undefined
  /** Set while the run is shown as it was: the last event that counts, when it was (epoch ms), and the last there is. */
  readonly asOf: { readonly seq: number; readonly at: number } | undefined
  /** All events so far, oldest first; grows in place. */
  readonly events: readonly Envelope[]
}

export interface BreakpointState {
  readonly status: BreakpointStatus
  readonly reason?: string
  readonly hits: number
  readonly lastError?: string
}

/** Everything the screens are made of: hub state, runs list, and the run on the screen. */
export interface ViewerState {
  readonly link: LinkState
  /** True once the collector has answered: before that, empty means unknown. */
  readonly welcomed: boolean
  readonly serverVersion: string | undefined
  /** The collector's version when it gave us this page. */
  readonly pageVersion: string | undefined
  readonly breakpoints: readonly BreakpointMatcher[]
  readonly breakpointStates: ReadonlyMap<string, BreakpointState>
  readonly mode: RunMode
  /** Undefined until the collector sent its list. */
  readonly runs: ReadonlyMap<string, RunInfo> | undefined
  /** Runs that left the list while we looked on; one that is restored is not among them. */
  readonly removedRuns: ReadonlySet<string>
  readonly run: OpenRun | undefined
  /** How far the history of that run is, while it arrives: apart from it, so that telling this draws nothing else anew. */
  readonly history: HistoryProgress | undefined
  /** The last events of the run on the screen came late. */
  readonly behind: Behind | undefined
  readonly requests: ReadonlyMap<string, PauseRequest>
  /** The last complaint of the collector that belongs to no held call. */
  readonly problem: string | undefined
  readonly unreadable: number
}

export const INITIAL_STATE: ViewerState = {
  link: { phase: 'connecting', attempt: 0 },
  welcomed: false,
  serverVersion: undefined,
  pageVersion: undefined,
  breakpoints: [],
  breakpointStates: new Map(),
  mode: 'run',
  runs: undefined,
  removedRuns: new Set(),
  run: undefined,
  history: undefined,
  behind: undefined,
  requests: new Map(),
  problem: undefined,
  unreadable: 0,
}
