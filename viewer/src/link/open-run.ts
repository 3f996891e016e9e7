import { type Envelope, emptyRun, foldEnvelope } from '@graphmind-ai/schema'
import { waiters } from '../model/pauses.ts'
import { createEventLog } from './event-log.ts'
import type { Urgency } from './frame-scheduler.ts'
import { nextStep, type StreamPhase } from './sequence.ts'
import type { HistoryProgress, OpenRun, ReleaseNotice } from './viewer-state.ts'

const MOST_NOTICES = 5
/** What a person who looks on waits to see, and what the tab's title tells those who look elsewhere. */
const NEWS: Readonly<Record<string, Urgency>> = {
  'node.started': 'urgent',
  'exec.paused': 'signal',
  'exec.resumed': 'signal',
  'run.finished': 'urgent',
}
const NOBODY: ReadonlySet<string> = new Set()

/** The run on the screen while it is being told: folds what arrives and hands out snapshots for the store. */
export interface RunTracker {
  readonly runId: string
  /** All events folded so far, oldest first; grows in place. */
  readonly events: readonly Envelope[]
  /** Highest folded seq, −1 before any. */
  lastSeq(): number
  phase(): OpenRun['phase']
  /** How far the history is that arrives, undefined when none does. */
  progress(): HistoryProgress | undefined
  /** Whether a snapshot is to be drawn: the first events of a history at once, all others when it is complete, and then whatever comes. */
  isWorthDrawing(): boolean
  /** The collector was asked for what follows `lastSeq`. */
  asked(): void
  replayStart(count: number): void
  replayEnd(): void
  /**
   * Takes one event; `resync` asks the caller to subscribe again from `lastSeq`. `released` names holds that ended in it, `urgency`
   * says how soon it is to be seen.
   */
  event(
    envelope: Envelope,
    after: number | null,
  ): { readonly resync: boolean; readonly released: readonly string[]; readonly urgency: Urgency }
  missing(problem: string): void
  dismiss(pauseId: string): void
  /** The state as of now; a new object each time. */
  snapshot(): OpenRun
}

/** Starts with nothing known of the run. `isMine` tells whether a release answers a command of this viewer. */
export function trackRun(runId: string, isMine: (pauseId: string, requestId: string | undefined) => boolean = () => false): RunTracker {
  const picture = emptyRun(runId)
  const log = createEventLog()
  const events: Envelope[] = []
  let stream: StreamPhase = 'resyncing'
  let phase: OpenRun['phase'] = 'loading'
  let replay: HistoryProgress | undefined
  let problem: string | undefined
  let commit = 0
  let structure = 0
  let drawnEvents = 0
  let fresh: string[] = []
  let notices: readonly ReleaseNotice[] = []

  const fold = (envelope: Envelope): readonly string[] => {
    const known = picture.instances.size
    const waiting =
      phase === 'ready' && envelope.type.startsWith('exec.') ? new Set(waiters(picture).map((pause) => pause.pauseId)) : NOBODY
    events.push(envelope)
    const change = foldEnvelope(picture, envelope)
    if (change.places) structure += 1
    if (envelope.type !== 'node.token') log.add(change.instanceIds, envelope)
    // History is not news: only what begins or ends while we look on is marked or told.
    if (phase !== 'ready') return []
    if (picture.instances.size > known) fresh.push(...change.instanceIds)
    return change.pauseIds.filter((id) => waiting.has(id) && picture.pauses.get(id)?.released !== undefined)
  }

  return {
    runId,
    events,
    lastSeq: () => picture.lastSeq,
    phase: () => phase,
    progress: () => replay,
    isWorthDrawing: () => phase === 'ready' || (drawnEvents === 0 && events.length > 0),
    asked() {
      stream = 'resyncing'
    },
    replayStart(count) {
      stream = 'replaying'
      replay = { done: 0, total: count }
      problem = undefined
      if (phase === 'missing') phase = 'loading'
    },
    replayEnd() {
      stream = 'live'
      replay = undefined
      phase = 'ready'
    },
    event(envelope, after) {
      if (replay !== undefined) replay = { done: replay.done + 1, total: replay.total }
      const step = nextStep(stream, picture.lastSeq, envelope.seq, after)
      if (step !== 'fold') return { resync: step === 'resync', released: [], urgency: 'soon' }
      const released = fold(envelope)
      for (const id of released) {
        const pause = picture.pauses.get(id)
        if (pause === undefined) continue
        notices = [...notices, { pause, mine: isMine(id, pause.released?.requestId) }].slice(-MOST_NOTICES)
      }
      return { resync: false, released, urgency: (phase === 'ready' ? NEWS[envelope.type] : undefined) ?? 'soon' }
    },
    missing(reason) {
      if (picture.lastSeq < 0) phase = 'missing'
      problem = reason
    },
    dismiss(pauseId) {
      notices = notices.filter((notice) => notice.pause.pauseId !== pauseId)
    },
    snapshot() {
      commit += 1
      drawnEvents = events.length
      const begun = fresh
      fresh = []
      const toldUntil = phase === 'ready' ? undefined : events.at(-1)?.ts
      return { runId, picture, commit, structure, phase, toldUntil, fresh: begun, log, notices, problem, asOf: undefined, events }
    },
  }
}
