import { createSession, type GateDecision, type GateOptions, PASS, type Session } from '@graphmind-ai/client'
import type { KnownEnvelope, PausePoint, PayloadOf, ResumeAction } from '@graphmind-ai/schema'
import { failed, messageOf, ok, type Result } from '../problem.ts'
import type { Recording } from './recording.ts'

export interface ReplayOptions {
  /** The server's `/ingest`. */
  readonly ingestUrl: string
  /** The server's, if it asks for one. */
  readonly token?: string | undefined
  readonly recording: Recording
  /** Waits between the recorded events. */
  readonly wait: (ms: number) => Promise<void>
  /** Told the run before its first event. */
  readonly started: (runId: string) => void
}

export interface Replay {
  /** How the run ended; a problem when the server did not take the session. */
  readonly ended: Promise<Result<'ok' | 'aborted'>>
  /** Lets a held call go and leaves. */
  stop(): Promise<void>
}

/** Between a retry and the next failure of the call, as recorded. */
const RETRY_MS = 90
/** A recorded call has one ending: only the failing one has a piece for each choice. */
const OTHER_ACTIONS: readonly ResumeAction[] = ['continue', 'abort']

type Call = PayloadOf<'node.started'> & { readonly startedMs: number; heldMs: number }

/** Plays the recording as an instrumented program would: its events and holds go through an ordinary client session. */
export function startReplay(options: ReplayOptions): Replay {
  // The environment is the command's, not that of a program to be debugged.
  const session = createSession({
    url: options.ingestUrl,
    token: options.token,
    appName: 'trip-planner',
    sdk: { name: 'ai', version: '7.0.173' },
    meta: { source: 'demo' },
    enabled: true,
    loopGuard: false,
    env: {},
    logger: { warn: () => undefined },
  })
  return { ended: play(session, options).finally(() => session.dispose()), stop: () => session.dispose() }
}

async function play(session: Session, { ingestUrl, recording, wait, started }: ReplayOptions): Promise<Result<'ok' | 'aborted'>> {
  if (!(await session.ready()))
    return failed('demo-not-taken', `No GraphMind server takes the demo at ${ingestUrl}. Start one with graphmind serve.`)
  let aborted: AbortSignal | undefined
  try {
    await session.run('trip-planner', async ({ runId, signal }) => {
      aborted = signal
      started(runId)
      await new Player(session, wait).play(recording)
    })
    return ok('ok')
  } catch (error) {
    return aborted?.aborted === true ? ok('aborted') : failed('demo', `The demo stopped: ${messageOf(error)}.`)
  }
}

class Player {
  readonly #session: Session
  readonly #wait: (ms: number) => Promise<void>
  readonly #open = new Map<string, Call>()

  constructor(session: Session, wait: (ms: number) => Promise<void>) {
    this.#session = session
    this.#wait = wait
  }

  async play(recording: Recording): Promise<void> {
    try {
      await this.#piece(recording.start)
      await this.#piece(await this.#heldCall(recording))
    } catch (error) {
      // Innermost first, as a program that unwinds.
      for (const { nodeId, instanceId } of [...this.#open.values()].reverse())
        this.#finish({ nodeId, instanceId, status: 'aborted', durationMs: 0 })
      throw error
    }
  }

  /** Holds the call whose error the recording has, as often as it is retried. */
  async #heldCall(recording: Recording): Promise<readonly KnownEnvelope[]> {
    const thrown = recording.continue.find(({ type }) => type === 'node.error')
    const call = thrown?.type === 'node.error' ? this.#open.get(thrown.payload.instanceId ?? '') : undefined
    if (thrown?.type !== 'node.error' || call === undefined) throw new Error('the recording has no failing call')
    for (let attempts = 1; ; attempts += 1) {
      const decision = await this.#gate('error', call, { error: thrown.payload.error })
      if (decision.action === 'inject') return withAttempts(recording.inject(decision.output), call.instanceId, attempts)
      if (decision.action !== 'retry') return withAttempts(recording.continue, call.instanceId, attempts)
      await this.#wait(RETRY_MS)
    }
  }

  async #piece(events: readonly KnownEnvelope[]): Promise<void> {
    let lastTs = events[0]?.ts ?? 0
    for (const event of events) {
      await this.#wait(Math.max(0, event.ts - lastTs))
      lastTs = Math.max(lastTs, event.ts)
      await this.#say(event)
    }
  }

  async #say(event: KnownEnvelope): Promise<void> {
    if (event.type === 'node.started') return this.#start(event.payload)
    if (event.type === 'node.finished') {
      const { instanceId, output, status, injected } = event.payload
      const call = this.#open.get(instanceId ?? '')
      if (call !== undefined && status === 'ok' && injected !== true) await this.#gate('after', call, { output, actions: OTHER_ACTIONS })
      this.#finish(event.payload)
    } else if (event.type === 'node.token') this.#session.emit('node.token', event.payload)
    else if (event.type === 'node.error') this.#session.emit('node.error', event.payload)
    else if (event.type === 'graph.hint') this.#session.emit('graph.hint', event.payload)
  }

  async #start(payload: PayloadOf<'node.started'>): Promise<void> {
    this.#session.emit('node.started', payload)
    // A later one for the same call only says more of it.
    if (this.#open.has(payload.instanceId) || payload.aliasOf != null) return
    const call: Call = { ...payload, startedMs: performance.now(), heldMs: 0 }
    this.#open.set(call.instanceId, call)
    await this.#gate('before', call, { actions: OTHER_ACTIONS })
  }

  /** Says the end with the time it took here, holds included. */
  #finish(payload: PayloadOf<'node.finished'>): void {
    const call = this.#open.get(payload.instanceId ?? '')
    this.#open.delete(payload.instanceId ?? '')
    const durationMs = call === undefined ? payload.durationMs : hundredths(performance.now() - call.startedMs)
    this.#session.emit('node.finished', { ...payload, durationMs, ...(call?.heldMs ? { heldMs: hundredths(call.heldMs) } : {}) })
  }

  /** Throws the abort's reason. */
  async #gate(point: PausePoint, call: Call, options: GateOptions): Promise<GateDecision> {
    const { nodeId, kind, name, instanceId, input } = call
    const parentInstanceId = call.parentInstanceId ?? undefined
    const fromMs = performance.now()
    const pending = this.#session.gate(point, { nodeId, kind, name, instanceId, parentInstanceId }, { input, ...options })
    const decision = await pending
    if (pending !== PASS) this.#held(call, performance.now() - fromMs)
    if (decision.action === 'abort') throw decision.reason
    return decision
  }

  /** A hold counts for the call and for all that wait for it. */
  #held(call: Call, ms: number): void {
    for (let at: Call | undefined = call; at !== undefined; at = this.#open.get(at.parentInstanceId ?? '')) at.heldMs += ms
  }
}

function withAttempts(events: readonly KnownEnvelope[], instanceId: string, attempts: number): readonly KnownEnvelope[] {
  if (attempts === 1) return events
  return events.map((event) =>
    event.type === 'node.finished' && event.payload.instanceId === instanceId
      ? { ...event, payload: { ...event.payload, attempts } }
      : event,
  )
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100
}
