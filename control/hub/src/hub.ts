import { randomUUID } from 'node:crypto'
import type { BreakpointMatcher, PauseInfo, RunMode } from '@graphmind-ai/schema'
import { AppConnection } from './apps/app-connection.ts'
import { Senders } from './apps/senders.ts'
import { type DebugState, withBreakpoint, withoutBreakpoint } from './debug-state.ts'
import { DEFAULT_LIMITS, type HubLimits } from './limits.ts'
import { PauseDesk, type ResumeAnswer, type ResumeRequest } from './pauses/desk.ts'
import type { Bus, Peer, RunStore, SessionListener } from './ports.ts'
import { createProblemLog, type HubProblem } from './problems.ts'
import type { ViewerControl } from './viewers/parse.ts'
import { ViewerConnection } from './viewers/viewer-connection.ts'

export interface HubOptions {
  readonly store: RunStore
  readonly bus: Bus
  readonly sessions: SessionListener
  /** The server's version, as apps and viewers are told. */
  readonly version: string
  /** What is armed at first. */
  readonly breakpoints: readonly BreakpointMatcher[]
  readonly mode: RunMode
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
  /** `principal` is who acts through this viewer; the record names it (default `viewer`). */
  connectViewer(peer: Peer, principal?: string): Connection
  debugState(): DebugState
  /** The calls that are held now. */
  pauses(): PauseInfo[]
  /** Releases a held call; settles with the app's answer or after 5 s, and never rejects. */
  resume(request: ResumeRequest): Promise<ResumeAnswer>
  /** Closes every connection and resolves when what they sent is stored. */
  dispose(): Promise<void>
}

export function createHub(options: HubOptions): Hub {
  const { store, bus, sessions, version } = options
  const nowMs = options.nowMs ?? Date.now
  const ids = options.ids ?? randomUUID
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const report = createProblemLog(options.log ?? (() => undefined), nowMs)
  const apps = new Map<string, AppConnection>()
  const viewers = new Set<ViewerConnection>()
  const storing = new Set<Promise<void>>()
  let debugState: DebugState = { breakpoints: options.breakpoints, mode: options.mode }

  const desk = new PauseDesk({
    ids,
    send(owner, command, runId) {
      const app = apps.get(owner)
      app?.sendResume(command, runId)
      return app !== undefined
    },
    held: (runId, count) => sessions.held(runId, count),
  })
  const senders = new Senders((connection) => apps.has(connection))
  const appPorts = {
    version,
    limits,
    sessions,
    desk,
    senders,
    append: (events: Parameters<RunStore['append']>[0]) => store.append(events),
    debugState: () => debugState,
    greeted: supersede,
    nowMs,
    ids,
    report,
  }

  /** An app that comes back has lost its old connection, even if the server has not noticed: what that one held is released. */
  function supersede(connection: AppConnection): void {
    for (const app of [...apps.values()]) {
      if (app === connection || app.senderId === undefined || app.senderId !== connection.senderId) continue
      app.leave(1000, 'This app has a newer connection.')
      forget(app)
    }
  }

  function forget(app: AppConnection): void {
    if (!apps.delete(app.id)) return
    app.closed()
    const settled = app.settled().finally(() => storing.delete(settled))
    storing.add(settled)
  }

  function change(control: Exclude<ViewerControl, { type: 'exec.resume' }>): string | undefined {
    const before = debugState
    switch (control.type) {
      case 'breakpoint.set': {
        const { matcher } = control.payload
        if (Buffer.byteLength(JSON.stringify(matcher)) > limits.matcherBytes)
          return `A breakpoint may have at most ${limits.matcherBytes} bytes.`
        if (before.breakpoints.length >= limits.breakpoints) return `At most ${limits.breakpoints} breakpoints can be set. Clear one first.`
        debugState = withBreakpoint(before, matcher)
        if (debugState !== before) for (const app of apps.values()) app.sendBreakpoint('breakpoint.set', matcher)
        break
      }
      case 'breakpoint.clear': {
        const { matcher } = control.payload
        debugState = withoutBreakpoint(before, matcher)
        if (debugState !== before) for (const app of apps.values()) app.sendBreakpoint('breakpoint.clear', matcher)
        break
      }
      case 'mode.set': {
        const { mode } = control.payload
        debugState = { ...before, mode }
        for (const app of apps.values()) app.sendMode(mode)
        break
      }
    }
    // Also when nothing changed: the viewer that asked is answered.
    for (const viewer of viewers) viewer.send({ type: 'state', ...debugState })
    return undefined
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
    connectViewer(peer, principal = 'viewer') {
      const resume = (request: ResumeRequest) => desk.resume(request)
      const viewer = new ViewerConnection(peer, {
        version,
        limits,
        store,
        bus,
        principal,
        debugState: () => debugState,
        resume,
        change,
        nowMs,
      })
      viewers.add(viewer)
      return {
        receive: (text) => viewer.receive(text),
        closed() {
          viewers.delete(viewer)
          viewer.closed()
        },
      }
    },
    debugState: () => debugState,
    pauses: () => desk.list(),
    resume: (request) => desk.resume(request),
    async dispose() {
      desk.dispose()
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
