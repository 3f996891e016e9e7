import {
  type BreakpointMatcher,
  type ControlType,
  createEnvelope,
  type Envelope,
  isTraceRunId,
  type KnownEnvelope,
  type PayloadOf,
  PROTOCOL_VERSION,
  parseFrame,
  type RunMode,
  unknownFieldsOf,
  WILDCARD_RUN_ID,
} from '@graphmind-ai/schema'
import type { ArmedApp, Breakpoints } from '../breakpoints/breakpoints.ts'
import { matcherForApp } from '../breakpoints/debug-state.ts'
import { createRateLimit, type HubLimits } from '../limits.ts'
import type { PauseDesk } from '../pauses/desk.ts'
import type { ChannelEvent, Peer, SessionListener } from '../ports.ts'
import { type HubProblem, issuesText } from '../problems.ts'
import { AppendQueue } from './append-queue.ts'
import type { Claims } from './claims.ts'

/** Runs that one connection may speak for; the longest silent one is let go. */
const MAX_RUNS = 10_000
const MAX_CLOSE_REASON_BYTES = 120

const CONTROL_TYPES: Readonly<Record<ControlType, true>> = {
  'hello.ack': true,
  'exec.resume': true,
  'breakpoint.set': true,
  'breakpoint.clear': true,
  'mode.set': true,
}

export interface AppPorts {
  readonly version: string
  /** What the hub adds to its answer beyond echoing the app's capabilities. */
  readonly capabilities: readonly string[]
  readonly limits: HubLimits
  readonly sessions: SessionListener
  readonly desk: PauseDesk
  readonly claims: Claims
  readonly breakpoints: Breakpoints
  append(events: readonly ChannelEvent[]): Promise<void>
  /** The app on this connection said who it is; `superseded` is the connection it had before, which is still open here. */
  greeted(superseded: string | undefined): void
  nowMs(): number
  ids(): string
  report(code: HubProblem['code'], message: string): void
}

/** The hub's side of one app socket. */
export class AppConnection implements ArmedApp {
  readonly id: string
  readonly #peer: Peer
  readonly #ports: AppPorts
  readonly #mayReceive: () => boolean
  readonly #queue: AppendQueue
  /** Runs this connection spoke in, longest silent first. */
  readonly #runs = new Set<string>()
  #hello: PayloadOf<'hello'> | undefined
  /** It proved to be an app that was connected before. */
  #isBack = false
  #seq = 0
  #isClosed = false

  constructor(peer: Peer, ports: AppPorts) {
    this.id = ports.ids()
    this.#peer = peer
    this.#ports = ports
    this.#mayReceive = createRateLimit(ports.limits.appBurstFrames, ports.limits.appFramesPerSecond, ports.nowMs)
    this.#queue = new AppendQueue(ports.append, (error, count) => {
      ports.report(
        'store-failed',
        `${count} events of an app could not be stored: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
  }

  receive(text: string): void {
    if (this.#isClosed) return
    const { limits } = this.#ports
    const bytes = Buffer.byteLength(text)
    if (bytes > limits.appFrameBytes) {
      this.#refuse(1009, `frame-too-large: ${bytes} bytes, at most ${limits.appFrameBytes}`)
    } else if (!this.#mayReceive()) {
      this.#refuse(1008, `rate-limited: at most ${limits.appFramesPerSecond} frames per second`)
    } else {
      this.#read(text, bytes)
    }
  }

  sendBreakpoint(type: 'breakpoint.set' | 'breakpoint.clear', matcher: BreakpointMatcher): void {
    const fitting = matcherForApp(matcher, this.capabilities)
    if (fitting !== undefined) this.#send(type, { matcher: fitting })
  }

  sendMode(mode: RunMode): void {
    this.#send('mode.set', { mode })
  }

  sendResume(command: PayloadOf<'exec.resume'>, runId: string): void {
    this.#send('exec.resume', command, runId)
  }

  /** It said hello, so it can be armed. */
  get isGreeted(): boolean {
    return this.#hello !== undefined && !this.#isClosed
  }

  get capabilities(): readonly string[] {
    return this.#hello?.capabilities ?? []
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Closes the socket from this side. */
  leave(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#peer.close(code, reason.slice(0, MAX_CLOSE_REASON_BYTES))
    this.closed()
  }

  /** The socket is gone: its calls were released by the app itself, which can't say so any more. */
  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#ports.claims.closed(this.id)
    for (const { info } of this.#ports.desk.ownerGone(this.id)) {
      // In a run that the app numbers, a number of ours could be one of its own: there its replay tells, or RunInfo.live does.
      if (!this.#isHubSequenced(info.runId)) continue
      const { nodeId, instanceId } = info.payload
      const payload = { pauseId: info.pauseId, action: 'continue', cause: 'link-lost', nodeId, instanceId }
      const origin = `hub:${info.pauseId}:link-lost`
      this.#queue.push({ runId: info.runId, origin, seq: undefined, ts: this.#ports.nowMs(), type: 'exec.resumed', payload }, 0)
    }
    if (this.#runs.size > 0) this.#ports.sessions.detached([...this.#runs])
  }

  settled(): Promise<void> {
    return this.#queue.settled()
  }

  #refuse(code: number, reason: string): void {
    this.#ports.report('refused', `A connection of an app was closed (${code}): ${reason}`)
    this.leave(code, reason)
  }

  #read(text: string, bytes: number): void {
    const result = parseFrame(text)
    switch (result.outcome) {
      case 'ok':
        this.#take(result.envelope, bytes)
        break
      case 'unknown-type':
        this.#store(result.envelope, bytes)
        break
      case 'version-mismatch':
        this.#refuse(1002, `version-mismatch: this server speaks protocol ${PROTOCOL_VERSION}, not ${result.gm}`)
        break
      case 'invalid':
        this.#ports.report('bad-frame', `A frame of an app was left out. ${result.reason}${issuesText(result.issues)}`)
        break
    }
  }

  #take(envelope: KnownEnvelope, bytes: number): void {
    if (envelope.type === 'hello') {
      this.#greet(envelope.payload)
    } else if (envelope.type in CONTROL_TYPES) {
      this.#ports.report('not-an-event', `An app sent ${envelope.type}, which only viewers may send.`)
    } else {
      this.#store(envelope, bytes)
    }
  }

  #greet(hello: PayloadOf<'hello'>): void {
    if (hello.versions.protocol !== PROTOCOL_VERSION) {
      this.#refuse(1002, `version-mismatch: this server speaks protocol ${PROTOCOL_VERSION}, not ${hello.versions.protocol}`)
      return
    }
    // The sender of a connection stays who it was: a second hello may change what it can do, not whose events these are.
    const senderId = this.#hello?.senderId ?? hello.senderId
    this.#hello = senderId === undefined ? hello : { ...hello, senderId }
    const { claims, breakpoints, version, capabilities } = this.#ports
    const isBinding = hello.capabilities.includes('run-claim')
    const { token, isBack, superseded } = claims.greet(this.id, { isBinding, resumeToken: hello.resumeToken })
    this.#isBack ||= isBack
    this.#ports.greeted(superseded)
    const armed = breakpoints.state
    this.#send('hello.ack', {
      versions: { protocol: PROTOCOL_VERSION, viewer: version },
      capabilities: hello.capabilities,
      breakpoints: armed.breakpoints
        .map((matcher) => matcherForApp(matcher, hello.capabilities))
        .filter((matcher) => matcher !== undefined),
      mode: armed.mode,
      sessionToken: token,
      hubCapabilities: [...capabilities],
    })
  }

  #store(envelope: Envelope, bytes: number): void {
    const { runId, seq, ts, type } = envelope
    if (runId === WILDCARD_RUN_ID) {
      this.#ports.report('not-an-event', `A ${type} of no run was left out. Send events with their runId.`)
      return
    }
    if (this.#isAboutForeignPause(envelope as KnownEnvelope)) {
      this.#ports.report('not-owner', `A ${type} about a call that another app holds was left out.`)
      return
    }
    const problem = this.#problemOf(envelope, bytes)
    if (problem !== undefined) {
      this.#refuse(problem.code, problem.reason)
      return
    }
    const isHubSequenced = this.#isHubSequenced(runId)
    this.#speakFor(runId)
    const payload = this.#follow(envelope)
    const origin = `${this.#sender}:${seq}`
    const unknownFields = unknownFieldsOf(envelope)
    this.#queue.push({ runId, origin, seq: isHubSequenced ? undefined : seq, ts: Math.trunc(ts), type, payload, unknownFields }, bytes)
  }

  #isAboutForeignPause(envelope: KnownEnvelope): boolean {
    const isAnswer = envelope.type === 'exec.resumed' || envelope.type === 'exec.refused'
    return isAnswer && this.#ports.desk.isForeign(envelope.runId, envelope.payload.pauseId, this.id)
  }

  /** Why an event can't be taken, so that its connection has to go. */
  #problemOf({ runId, type }: Envelope, bytes: number): { code: number; reason: string } | undefined {
    const { limits, desk, claims } = this.#ports
    if (!this.#isHubSequenced(runId) && !claims.claim(runId, this.id)) {
      return { code: 1008, reason: 'second-sender: this run is another program’s; use a run id of your own' }
    }
    if (this.#queue.waitingBytes + bytes > limits.appPendingBytes) {
      return { code: 1013, reason: 'overloaded: events arrive faster than they can be stored; try again later' }
    }
    if (type === 'exec.paused' && desk.heldBy(this.id) >= limits.appHeldCalls) {
      return { code: 1008, reason: `too-many-held-calls: at most ${limits.appHeldCalls}` }
    }
    return undefined
  }

  /** Keeps the registry up with what the app says, and stamps who saw a hold and who released it: the app can't know that, and may not claim it. */
  #follow(envelope: Envelope): unknown {
    const { desk, breakpoints } = this.#ports
    const known = envelope as KnownEnvelope
    switch (known.type) {
      case 'exec.paused': {
        const { pauseId, nodeId, point, matcher } = known.payload
        const payload = { ...known.payload, watched: desk.isWatched }
        const owner = { id: this.id, isBack: this.#isBack, unwatchedHoldMs: this.#hello?.unwatchedHoldMs }
        const isNew = desk.paused({ runId: known.runId, pauseId, nodeId, point, since: known.ts, payload }, owner)
        if (isNew && matcher !== undefined) breakpoints.held(matcher, this.capabilities)
        return payload
      }
      case 'exec.resumed': {
        const { principal: _principal, operator: _operator, ...payload } = known.payload
        return { ...payload, ...desk.resumed(known.runId, this.id, known.payload) }
      }
      case 'exec.refused':
        desk.refused(known.runId, this.id, known.payload)
        return known.payload
      case 'breakpoint.hit':
        breakpoints.hit(known.payload)
        return known.payload
      default:
        return envelope.payload
    }
  }

  #speakFor(runId: string): void {
    const isNew = !this.#runs.delete(runId)
    this.#runs.add(runId)
    if (!isNew) return
    this.#ports.sessions.attached(runId, this.#hello?.hide ?? [])
    const oldest = this.#runs.values().next().value
    if (this.#runs.size <= MAX_RUNS || oldest === undefined) return
    this.#runs.delete(oldest)
    this.#ports.sessions.detached([oldest])
  }

  /** Without a senderId (older and foreign clients) an event is the connection's own; its replay is known by its seq. */
  get #sender(): string {
    return this.#hello?.senderId ?? this.id
  }

  #isHubSequenced(runId: string): boolean {
    return isTraceRunId(runId) || this.#hello?.spans === 'otlp'
  }

  #send<Type extends ControlType>(type: Type, payload: PayloadOf<Type>, runId: string = WILDCARD_RUN_ID): void {
    if (this.#isClosed) return
    this.#peer.send(JSON.stringify(createEnvelope(type, payload, { runId, seq: this.#seq, ts: this.#ports.nowMs() })))
    this.#seq += 1
  }
}
