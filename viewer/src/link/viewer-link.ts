import {
  type BreakpointMatcher,
  type ControlEnvelope,
  createEnvelope,
  type RunInfo,
  type RunMode,
  type UiClientMessage,
  WILDCARD_RUN_ID,
} from '@graphmind-ai/schema'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { isInFlight } from '../model/pauses.ts'
import { browserClock, createFrameScheduler, type FrameClock, moreUrgent, type Urgency } from './frame-scheduler.ts'
import { createLateness } from './lateness.ts'
import { type RunTracker, trackRun } from './open-run.ts'
import { createPastRun, type PastRun } from './past-run.ts'
import { readFrame, type StreamEvent } from './read-frame.ts'
import { createSocket, type ReconnectingSocket, type SocketListener } from './socket.ts'
import { INITIAL_STATE, type PauseRequest, type ViewerState } from './viewer-state.ts'

/** What a person asks of a held call. */
export type ResumeCommand =
  | { readonly action: 'continue' | 'retry' | 'abort' }
  | { readonly action: 'inject'; readonly output: unknown }
  | { readonly action: 'continue' | 'retry'; readonly input: unknown }

/** Everything the screens can ask for. */
export interface ViewerActions {
  openRun(runId: string | undefined): void
  /** Shows the open run as it was after this event, or as it is now; live events go on being folded. */
  replayTo(seq: number | undefined): void
  setBreakpoint(matcher: BreakpointMatcher): void
  clearBreakpoint(matcher: BreakpointMatcher): void
  setMode(mode: RunMode): void
  resume(pauseId: string, command: ResumeCommand): void
  dismissNotice(pauseId: string): void
  dismissProblem(): void
  retryNow(): void
}

export interface ViewerLink {
  readonly store: StoreApi<ViewerState>
  readonly actions: ViewerActions
  /** A key or pointer was used, so commits make room for it. */
  userActed(): void
  visibilityChanged(): void
  stop(): void
}

interface LinkParts {
  readonly connect: (listener: SocketListener) => ReconnectingSocket
  readonly clock: FrameClock
  readonly nowMs: () => number
  readonly newId: () => string
}

/** Connects to the collector's `/ws/ui` and keeps one store up to date: nothing lost, nothing doubled. */
export function createViewerLink(url: string, parts: Partial<LinkParts> = {}): ViewerLink {
  const { connect = (listener) => createSocket(url, listener), clock = browserClock(), nowMs = Date.now, newId = randomId } = parts
  const store = createStore<ViewerState>(() => INITIAL_STATE)
  const requests = new Map<string, PauseRequest>()
  let runs: Map<string, RunInfo> | undefined
  const removedRuns = new Set<string>()
  let tracker: RunTracker | undefined
  let lateness = createLateness()
  let past: { readonly run: PastRun; readonly seq: number } | undefined
  let changed = { runs: false, run: false, progress: false, requests: false }
  let seq = 0

  /** What the screens show: the run as it is, or a moment of its past with the commands' and the link's present. */
  const shownRun = () => (past === undefined ? tracker?.snapshot() : past.run.at(past.seq))
  const shownHistory = () => (past === undefined ? tracker?.progress() : undefined)
  const scheduler = createFrameScheduler(() => {
    const next: Partial<ViewerState> = {
      ...(changed.runs ? { runs: runs === undefined ? undefined : new Map(runs), removedRuns: new Set(removedRuns) } : {}),
      ...(changed.run ? { run: shownRun(), behind: lateness.behind() } : {}),
      ...(changed.run || changed.progress ? { history: shownHistory() } : {}),
      ...(changed.requests ? { requests: new Map(requests) } : {}),
    }
    changed = { runs: false, run: false, progress: false, requests: false }
    store.setState(next)
  }, clock)
  const touch = (part: keyof typeof changed, urgency: Urgency = 'soon') => {
    changed[part] = true
    scheduler.request(urgency)
  }

  const send = (message: UiClientMessage): boolean => socket.send(JSON.stringify(message))
  const control = (envelope: ControlEnvelope): boolean => send({ type: 'control', envelope })
  const at = (runId: string) => {
    seq += 1
    return { runId, seq, ts: nowMs() }
  }
  const subscribeRun = () => {
    if (tracker === undefined) return
    tracker.asked()
    const lastSeq = tracker.lastSeq()
    send({ type: 'subscribe', runId: tracker.runId, batch: true, sheets: true, ...(lastSeq < 0 ? {} : { afterSeq: lastSeq }) })
  }
  const unsubscribeRun = () => {
    if (tracker !== undefined) send({ type: 'unsubscribe', runId: tracker.runId })
  }
  const settle = (pauseId: string, change: Partial<PauseRequest>) => {
    const request = requests.get(pauseId)
    if (request === undefined) return
    requests.set(pauseId, { ...request, ...change })
    touch('requests')
  }
  const complain = (problem: string) => store.setState({ problem })
  const unreadable = (problem: string) => store.setState({ unreadable: store.getState().unreadable + 1, problem })
  const takeEvents = (runId: string, events: readonly (StreamEvent | undefined)[]) => {
    if (tracker?.runId !== runId) return
    let urgency: Urgency = 'soon'
    // What is told of the past is not late.
    const isLive = tracker.phase() === 'ready' && tracker.progress() === undefined
    let newest = Number.NEGATIVE_INFINITY
    for (const event of events) {
      if (event === undefined) {
        unreadable('The collector sent an event that does not fit.')
        continue
      }
      const told = tracker.event(event.envelope, event.after)
      const { resync, released } = told
      urgency = moreUrgent(urgency, told.urgency)
      newest = Math.max(newest, event.envelope.ts)
      for (const pauseId of released) settle(pauseId, { state: 'done' })
      if (!resync) continue
      unsubscribeRun()
      subscribeRun()
    }
    if (isLive) lateness.came(newest, nowMs())
    // Between its first events and the last, a long history only tells how far it is: drawing parts over and over would delay the whole.
    if (tracker.isWorthDrawing()) touch('run', urgency)
    else touch('progress')
  }

  const receive = (text: string) => {
    const reading = readFrame(text)
    if (!reading.ok) {
      if (!reading.ignored) unreadable(reading.problem)
      return
    }
    const message = reading.message
    switch (message.type) {
      case 'welcome':
        store.setState({
          link: { phase: 'live' },
          welcomed: true,
          serverVersion: message.versions.server,
          pageVersion: store.getState().pageVersion ?? message.versions.server,
          breakpoints: message.breakpoints,
          mode: message.mode,
        })
        send({ type: 'subscribe', runId: WILDCARD_RUN_ID })
        subscribeRun()
        return
      case 'state':
        store.setState({ breakpoints: message.breakpoints, mode: message.mode })
        return
      case 'runs':
        runs = new Map(message.runs.map((run) => [run.id, run]))
        for (const { id } of message.runs) removedRuns.delete(id)
        touch('runs', 'signal')
        return
      case 'run.update':
        runs ??= new Map()
        // Whether something waits is told by the tab's title and icon too.
        touch('runs', message.run.held === (runs.get(message.run.id)?.held ?? 0) ? 'soon' : 'signal')
        runs.set(message.run.id, message.run)
        removedRuns.delete(message.run.id)
        // A link to a run may be opened before its first event.
        if (tracker?.runId === message.run.id && tracker.phase() === 'missing') subscribeRun()
        return
      case 'run.removed':
        runs?.delete(message.runId)
        removedRuns.add(message.runId)
        touch('runs')
        return
      case 'replay.start':
        if (tracker?.runId !== message.runId) return
        tracker.replayStart(message.count)
        touch('run')
        return
      case 'replay.end':
        if (tracker?.runId !== message.runId) return
        tracker.replayEnd()
        touch('run', 'signal')
        return
      case 'event':
        takeEvents(message.runId, [message])
        return
      case 'events':
        takeEvents(message.runId, message.events)
        return
      case 'breakpoints':
        store.setState({ breakpointStates: new Map(message.breakpoints.map(({ id, ...state }) => [id, state])) })
        return
      case 'resume.result':
        if (requests.get(message.pauseId)?.requestId !== (message.requestId ?? requests.get(message.pauseId)?.requestId)) return
        // The call went on already: its event was faster than the answer.
        if (message.outcome === 'resumed' && requests.get(message.pauseId)?.state === 'done') return
        settle(message.pauseId, outcomeOf(message.outcome, message.message, message.by))
        return
      case 'error':
        // The same refusal comes as a resume.result, for which this is the base contract's older form.
        if (message.pauseId !== undefined && requests.has(message.pauseId)) {
          if (requests.get(message.pauseId)?.state === 'sent') settle(message.pauseId, { state: 'refused', message: message.message })
        } else if (
          tracker !== undefined &&
          message.runId === tracker.runId &&
          (message.code === 'no-such-run' || tracker.phase() !== 'ready')
        ) {
          tracker.missing(message.message)
          touch('run')
        } else complain(message.message)
    }
  }

  const socket = connect({
    connecting() {
      const { link } = store.getState()
      store.setState({ link: { phase: 'connecting', attempt: link.phase === 'live' ? 0 : link.attempt } })
    },
    opened: () => undefined,
    text: receive,
    down(attempt, retryAt) {
      store.setState({ link: { phase: 'offline', attempt, retryAt } })
      for (const [pauseId, request] of requests) {
        if (request.state === 'sent') {
          settle(pauseId, { state: 'refused', message: 'The link broke before an answer came. If the call still waits, send it again.' })
        }
      }
    },
  })

  return {
    store,
    actions: {
      openRun(runId) {
        if (tracker?.runId === runId) return
        unsubscribeRun()
        past = undefined
        lateness = createLateness()
        tracker =
          runId === undefined
            ? undefined
            : trackRun(runId, (pauseId, requestId) =>
                requestId === undefined ? isInFlight(requests.get(pauseId)?.state) : requests.get(pauseId)?.requestId === requestId,
              )
        if (store.getState().link.phase === 'live') subscribeRun()
        store.setState({ run: tracker?.snapshot(), history: shownHistory(), behind: undefined })
      },
      replayTo(seq) {
        if (seq === past?.seq || tracker === undefined) return
        past = seq === undefined ? undefined : { seq, run: past?.run ?? createPastRun(tracker.runId, tracker.events) }
        // At once: a person drags a slider and looks at it.
        store.setState({ run: shownRun(), history: shownHistory() })
      },
      setBreakpoint(matcher) {
        if (!control(createEnvelope('breakpoint.set', { matcher }, at(WILDCARD_RUN_ID)))) complain(NOT_SENT)
      },
      clearBreakpoint(matcher) {
        if (!control(createEnvelope('breakpoint.clear', { matcher }, at(WILDCARD_RUN_ID)))) complain(NOT_SENT)
      },
      setMode(mode) {
        if (!control(createEnvelope('mode.set', { mode }, at(WILDCARD_RUN_ID)))) complain(NOT_SENT)
      },
      resume(pauseId, command) {
        if (tracker === undefined || isInFlight(requests.get(pauseId)?.state)) return
        const requestId = newId()
        const sent = control(createEnvelope('exec.resume', { pauseId, requestId, ...command }, at(tracker.runId)))
        const outcome = sent ? ({ state: 'sent' } as const) : ({ state: 'refused', message: NOT_SENT } as const)
        requests.set(pauseId, { requestId, action: command.action, sentAt: nowMs(), ...outcome })
        // At once and not with the next commit: a person pressed a button and looks at it.
        store.setState({ requests: new Map(requests) })
      },
      dismissNotice(pauseId) {
        tracker?.dismiss(pauseId)
        touch('run')
      },
      dismissProblem: () => store.setState({ problem: undefined }),
      retryNow: () => socket.retryNow(),
    },
    userActed: () => scheduler.userActed(),
    visibilityChanged: () => scheduler.visibilityChanged(),
    stop() {
      scheduler.stop()
      socket.stop()
    },
  }
}

const NOT_SENT = 'Not sent: the collector can’t be reached. Try again when the link is back.'

function outcomeOf(outcome: string, message: string | undefined, by: string | undefined): Partial<PauseRequest> {
  switch (outcome) {
    case 'resumed':
      return { state: 'taken' }
    case 'taken':
      return { state: 'refused', message: message ?? `${by ?? 'Another viewer'} was first.` }
    case 'timeout':
      return { state: 'refused', message: message ?? 'The agent did not answer. If the call still waits, send it again.' }
    case 'no-such-pause':
      return { state: 'refused', message: message ?? 'This call no longer waits.' }
    default:
      return { state: 'refused', message: message ?? 'The agent refused the command.' }
  }
}

/** `crypto.randomUUID` exists only in secure contexts; a viewer may be opened by a plain address. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
