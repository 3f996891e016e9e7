import { randomUUID } from 'node:crypto'
import type { BreakpointMatcher, BreakpointState, PauseInfo, RunMode, UiServerMessage } from '@graphmind-ai/schema'
import { AppConnection } from './apps/app-connection.ts'
import { Claims } from './apps/claims.ts'
import { Breakpoints } from './breakpoints/breakpoints.ts'
import type { DebugState } from './breakpoints/debug-state.ts'
import { DEFAULT_LIMITS, type HubLimits } from './limits.ts'
import { PauseDesk, type ResumeAnswer, type ResumeRequest } from './pauses/desk.ts'
import type { Bus, Peer, RunStore, SessionListener } from './ports.ts'
import { createProblemLog, type HubProblem } from './problems.ts'
import { type Caller, refusalOf, VIEWER } from './rights.ts'
import { ViewerConnection } from './viewers/viewer-connection.ts'

/** What this hub does beyond the base protocol. */
const CAPABILITIES = ['edit-input', 'run-claim']
/** As long as a run stays `running` without its app (contract, GRAPHMIND_ABANDON_GRACE_MS). */
const CLAIM_GRACE_MS = 15_000

export interface HubOptions {
  readonly store: RunStore
  readonly bus: Bus
  readonly sessions: SessionListener
  /** The server's version, as apps and viewers are told. */
  readonly version: string
  /** What is armed at first. */
  readonly breakpoints: readonly BreakpointMatcher[]
  readonly mode: RunMode
  /** False: nobody edits inputs, and apps are told so. */
  readonly editInput?: boolean
  /** How long a run stays its app's own after that is gone, ms; 15,000 when absent. */
  readonly claimGraceMs?: number
  /** Epoch ms. */
  readonly nowMs?: () => number
  /** Unique, unguessable texts. */
  readonly ids?: () => string
  /** Hears what went wrong, at most once a code in ten seconds. */
  readonly log?: (problem: HubProblem) => void
  readonly limits?: Partial<HubLimits>
}

/** What a socket's owner tells the hub; both never throw. */
export interface Connection {
  receive(text: string): void
  closed(): void
}

export interface Hub {
  connectApp(peer: Peer): Connection
  /** `caller` is who acts through this viewer, and how far they may (default: the viewer, everything). */
  connectViewer(peer: Peer, caller?: Caller): Connection
  /** What this server does beyond the base protocol, as apps are told. */
  readonly capabilities: readonly string[]
  debugState(): DebugState
  /** Where each breakpoint stands with the connected apps. */
  breakpoints(): BreakpointState[]
  /** The calls that are held now. */
  pauses(): PauseInfo[]
  pause(runId: string, pauseId: string): PauseInfo | undefined
  /** Calls back after every change of what `pauses` answers. Returns the way to stop. */
  onPauses(listener: () => void): () => void
  /** Counts as somebody who sees what is held, until the returned function is called; connected viewers count by themselves. */
  watch(): () => void
  /** Releases a held call; settles with the app's answer or when `waitMs` is over, and never rejects. */
  resume(request: ResumeRequest): Promise<ResumeAnswer>
  /** Resolves when everything that has come from apps so far is stored, or was given up. */
  settled(): Promise<unknown>
  /** Closes every connection and resolves when what they sent is stored. */
  dispose(): Promise<void>
}

/** The server side of the control channel, for one collector. */
export function createHub(options: HubOptions): Hub {
  const { store, bus, sessions, version } = options
  const nowMs = options.nowMs ?? Date.now
  const ids = options.ids ?? randomUUID
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const report = createProblemLog(options.log ?? (() => undefined), nowMs)
  const apps = new Map<string, AppConnection>()
  const viewers = new Set<ViewerConnection>()
  const storing = new Set<Promise<void>>()
  const pauseListeners = new Set<() => void>()

  const desk = new PauseDesk({
    ids,
    send(owner, command, runId) {
      const app = apps.get(owner)
      app?.sendResume(command, runId)
      return app !== undefined
    },
    held: (runId, count) => sessions.held(runId, count),
    changed() {
      for (const listener of [...pauseListeners]) listener()
    },
  })
  const editInput = options.editInput ?? true
  const capabilities = CAPABILITIES.filter((capability) => editInput || capability !== 'edit-input')
  const resume = async (request: ResumeRequest) => refusalOf(request, editInput) ?? desk.resume(request)
  const tellViewers = (message: UiServerMessage) => {
    for (const viewer of viewers) viewer.send(message)
  }
  const breakpoints = new Breakpoints(
    { breakpoints: options.breakpoints, mode: options.mode },
    { limits, apps: () => [...apps.values()].filter((app) => app.isGreeted), tellViewers },
  )
  const appPorts = {
    version,
    capabilities,
    limits,
    sessions,
    desk,
    breakpoints,
    claims: new Claims({ ids, nowMs, graceMs: options.claimGraceMs ?? CLAIM_GRACE_MS }),
    append: (events: Parameters<RunStore['append']>[0]) => store.append(events),
    greeted,
    nowMs,
    ids,
    report,
  }
  const leaveBus = bus.onRunUpdate((run) => breakpoints.runUpdated(run))

  /** An app that comes back has lost its old connection, even if the server has not noticed: what that one held is released. */
  function greeted(superseded: string | undefined): void {
    const old = superseded === undefined ? undefined : apps.get(superseded)
    if (old !== undefined) {
      old.leave(1000, 'This app has a newer connection.')
      forget(old)
    }
    breakpoints.appsChanged()
  }

  function forget(app: AppConnection): void {
    if (!apps.delete(app.id)) return
    app.closed()
    breakpoints.appsChanged()
    const settled = app.settled().finally(() => storing.delete(settled))
    storing.add(settled)
  }

  return {
    connectApp(peer) {
      const app = new AppConnection(peer, appPorts)
      apps.set(app.id, app)
      return {
        receive(text) {
          app.receive(text)
          if (app.isClosed) forget(app)
        },
        closed: () => forget(app),
      }
    },
    capabilities,
    connectViewer(peer, caller = VIEWER) {
      const viewer = new ViewerConnection(peer, {
        version,
        limits,
        store,
        bus,
        caller,
        breakpoints,
        resume,
        nowMs,
      })
      const unwatch = desk.watch()
      viewers.add(viewer)
      return {
        receive: (text) => viewer.receive(text),
        closed() {
          viewers.delete(viewer)
          viewer.closed()
          unwatch()
        },
      }
    },
    debugState: () => breakpoints.state,
    breakpoints: () => breakpoints.states(),
    pauses: () => desk.list(),
    pause: (runId, pauseId) => desk.find(runId, pauseId),
    onPauses(listener) {
      pauseListeners.add(listener)
      return () => pauseListeners.delete(listener)
    },
    watch: () => desk.watch(),
    resume,
    settled: () => Promise.all([...storing, ...[...apps.values()].map((app) => app.settled())]),
    async dispose() {
      desk.dispose()
      breakpoints.dispose()
      leaveBus()
      for (const viewer of viewers) viewer.refuse(1001, 'The server is stopping.')
      viewers.clear()
      for (const app of [...apps.values()]) {
        app.leave(1001, 'The server is stopping.')
        forget(app)
      }
      await Promise.all(storing)
    },
  }
}
