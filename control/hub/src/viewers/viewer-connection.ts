import { type PayloadOf, PROTOCOL_VERSION, type UiServerMessage, type ViewerErrorCode, WILDCARD_RUN_ID } from '@graphmind-ai/schema'
import type { Breakpoints } from '../breakpoints/breakpoints.ts'
import { createRateLimit, type HubLimits } from '../limits.ts'
import type { ResumeAnswer, ResumeRequest } from '../pauses/desk.ts'
import type { Bus, Peer, RunStore } from '../ports.ts'
import { allows, type Caller, forbidden } from '../rights.ts'
import { parseViewerMessage, type Subscribe, type ViewerControl } from './parse.ts'
import { RunListSubscription } from './run-list-subscription.ts'
import { RunSubscription, type SubscriptionPorts } from './run-subscription.ts'

export interface ViewerPorts {
  readonly version: string
  readonly limits: HubLimits
  readonly store: RunStore
  readonly bus: Bus
  /** Who acts through this viewer, and how far they may. */
  readonly caller: Caller
  readonly breakpoints: Breakpoints
  resume(request: ResumeRequest): Promise<ResumeAnswer>
  nowMs(): number
}

/** The hub's side of one viewer socket. */
export class ViewerConnection {
  readonly #peer: Peer
  readonly #ports: ViewerPorts
  readonly #mayReceive: () => boolean
  readonly #subscriptions = new Map<string, { stop(): void }>()
  readonly #subscriptionPorts: SubscriptionPorts
  #isClosed = false

  constructor(peer: Peer, ports: ViewerPorts) {
    this.#peer = peer
    this.#ports = ports
    this.#mayReceive = createRateLimit(ports.limits.viewerBurstFrames, ports.limits.viewerFramesPerSecond, ports.nowMs)
    const { store, bus, limits } = ports
    this.#subscriptionPorts = {
      store,
      bus,
      limits,
      peer,
      send: (message) => this.send(message),
      sendText: (text) => this.#sendText(text),
      failed: (runId, error) => this.#subscriptionFailed(runId, error),
    }
    const { state } = ports.breakpoints
    this.send({ type: 'welcome', versions: { protocol: PROTOCOL_VERSION, server: ports.version }, ...state })
    this.send({ type: 'breakpoints', breakpoints: ports.breakpoints.states() })
  }

  send(message: UiServerMessage): void {
    this.#sendText(JSON.stringify(message))
  }

  #sendText(text: string | Uint8Array): void {
    if (!this.#isClosed) this.#peer.send(text)
  }

  receive(text: string): void {
    if (this.#isClosed) return
    const { limits } = this.#ports
    const bytes = Buffer.byteLength(text)
    if (bytes > limits.viewerFrameBytes) {
      this.refuse(1009, `frame-too-large: ${bytes} bytes, at most ${limits.viewerFrameBytes}`)
    } else if (!this.#mayReceive()) {
      this.refuse(1008, `rate-limited: at most ${limits.viewerFramesPerSecond} messages per second`)
    } else {
      this.#read(text)
    }
  }

  refuse(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#peer.close(code, reason)
    this.closed()
  }

  closed(): void {
    this.#isClosed = true
    for (const subscription of this.#subscriptions.values()) subscription.stop()
    this.#subscriptions.clear()
  }

  #read(text: string): void {
    const parsed = parseViewerMessage(text)
    if (!parsed.ok) {
      this.send({ type: 'error', code: 'bad-message', message: parsed.problem })
      return
    }
    const message = parsed.value
    switch (message.type) {
      case 'subscribe':
        void this.#subscribe(message)
        break
      case 'unsubscribe':
        this.#subscriptions.get(message.runId)?.stop()
        this.#subscriptions.delete(message.runId)
        break
      case 'control':
        this.#control(message.envelope)
        break
    }
  }

  async #subscribe({ runId, ...wish }: Subscribe): Promise<void> {
    if (this.#subscriptions.has(runId)) {
      this.#answerRepeated(runId)
      return
    }
    const { viewerSubscriptions } = this.#ports.limits
    if (this.#subscriptions.size >= viewerSubscriptions) {
      const message = `At most ${viewerSubscriptions} runs can be followed at once. Unsubscribe from one first.`
      this.send({ type: 'error', code: 'bad-message', runId, message })
      return
    }
    const ports = this.#subscriptionPorts
    const isList = runId === WILDCARD_RUN_ID
    const subscription = isList ? new RunListSubscription(ports) : new RunSubscription(runId, wish, ports)
    this.#subscriptions.set(runId, subscription)
    try {
      const isKnown = isList || (await this.#ports.store.run(runId)) !== undefined
      if (this.#subscriptions.get(runId) !== subscription) return
      if (isKnown) {
        await subscription.start()
      } else {
        this.#subscriptions.delete(runId)
        this.send({ type: 'error', code: 'no-such-run', runId, message: `There is no run ${runId}.` })
      }
    } catch (error) {
      subscription.stop()
      this.#subscriptionFailed(runId, error)
    }
  }

  #subscriptionFailed(runId: string, error: unknown): void {
    this.#subscriptions.delete(runId)
    const why = error instanceof Error ? error.message : String(error)
    const what = runId === WILDCARD_RUN_ID ? 'The list of runs' : 'The run'
    this.send({ type: 'error', runId, message: `${what} could not be read: ${why} Subscribe again.` })
  }

  /** The viewer has it all already, or is getting it: nothing is replayed, and the answer says so. */
  #answerRepeated(runId: string): void {
    if (runId === WILDCARD_RUN_ID) return
    this.send({ type: 'replay.start', runId, count: 0 })
    this.send({ type: 'replay.end', runId })
  }

  #control(envelope: ViewerControl): void {
    if (envelope.type === 'exec.resume') {
      void this.#resume(envelope.runId, envelope.payload)
      return
    }
    const { level } = this.#ports.caller
    if (!allows(level, 'resume')) {
      this.send({ type: 'error', code: 'forbidden', message: forbidden(level, 'resume') })
      return
    }
    const problem = this.#ports.breakpoints.change(envelope)
    if (problem !== undefined) this.send({ type: 'error', code: 'bad-message', message: problem })
  }

  async #resume(runId: string, { pauseId, action, output, input, requestId, operator }: PayloadOf<'exec.resume'>): Promise<void> {
    const answer = await this.#ports.resume({ runId, pauseId, action, output, input, requestId, operator, ...this.#ports.caller })
    const { outcome, code, message } = answer
    this.send({ type: 'resume.result', runId, pauseId, ...(requestId === undefined ? {} : { requestId }), ...answer })
    // Viewers that know no resume.result (the base contract) learn a failure as an error.
    if (outcome === 'resumed' || message === undefined) return
    const errorCode = viewerErrorCode(code)
    this.send({ type: 'error', runId, pauseId, message, ...(errorCode === undefined ? {} : { code: errorCode }) })
  }
}

function viewerErrorCode(code: ResumeAnswer['code']): ViewerErrorCode | undefined {
  switch (code) {
    case 'schema':
    case 'shape':
    case 'disabled':
    case 'unsupported':
      return 'edit-refused'
    default:
      return code
  }
}
