import { randomUUID } from 'node:crypto'
import { type EventType, isStorableId, type PausePoint, type PayloadOf } from '@graphmind-ai/schema'
import { toErrorInfo } from './error-info.ts'
import type { GateDecision, GateNode, GateOptions } from './gate/gate.ts'
import { Keeper, PASS } from './gate/keeper.ts'
import type { LoopFacts } from './gate/state.ts'
import { helloFrame, viewerAddress } from './hello.ts'
import { Link } from './link/link.ts'
import { type Dial, dialWith, dialWs } from './link/socket.ts'
import { LoopGuard } from './loop/guard.ts'
import type { Settings } from './options.ts'
import { Outbox } from './outbox.ts'
import { createRedactor, type Payload } from './record/redact.ts'
import { createWarnings } from './record/warnings.ts'
import { type RunContext, Runs } from './runs.ts'
import type { Session, SessionStats } from './session.ts'
import type { HideSwitches } from './switches.ts'

const READY_MS = 2000
/** Longest wait of `dispose` for a connection that is being made, and for events to leave. */
const FLUSH_MS = 1500

/** An enabled session: the shell that ties link, outbox, gates and runs together and lets nothing out but decisions. */
export class LiveSession implements Session {
  readonly enabled = true
  readonly senderId = randomUUID()
  readonly hide: HideSwitches
  attached = false
  /** True at first, so that the first gate starts the connection. */
  gating = true
  readonly #settings: Settings
  readonly #warn: (kind: string, message: string) => void
  readonly #runs: Runs
  readonly #keeper: Keeper
  readonly #outbox: Outbox
  readonly #link: Link
  readonly #loops: LoopGuard | undefined
  readonly #attachListeners = new Set<() => void>()
  readonly #readyWaiters = new Set<(attached: boolean) => void>()
  #settled: (() => void) | undefined
  #started = false
  #connections = 0
  #sessionToken: string | undefined
  #implicitRunId: string | undefined
  #isDisposing = false
  #disposed: Promise<void> | undefined
  #isSilent = false

  constructor(settings: Settings) {
    this.#settings = settings
    this.hide = settings.hide
    this.#warn = createWarnings(settings.logger, settings.warnIntervalMs, () => performance.now())
    this.#loops = settings.loop === undefined ? undefined : new LoopGuard(settings.loop, this.#warn)
    const keeperOptions = {
      pausePrefix: `p-${this.senderId}`,
      pauseTimeoutMs: settings.pauseTimeoutMs,
      hide: settings.hide,
      allowEdits: settings.allowEdits,
      smart: settings.smart,
    }
    this.#keeper = new Keeper(keeperOptions, {
      emit: (type, payload, runId) => this.#outbox.record(type, payload, runId),
      abortRun: (runId) => this.#runs.abort(runId),
      abortReason: (runId) => this.#runs.signal(runId).reason,
      changed: () => this.#refresh(),
      holding: (node, point) => this.#holding(node, point),
      loop: (point, node, options, runId) => this.#loop(point, node, options, runId),
      retrying: ({ nodeId }, runId) => this.#loops?.retrying(runId, nodeId),
      replaced: ({ nodeId, instanceId }, output, runId) => this.#loops?.ended(runId, { nodeId, instanceId }, { output }, 'gate'),
    })
    this.#runs = new Runs((runId) => {
      this.#keeper.runEnded(runId)
      this.#loops?.runEnded(runId)
    })
    this.#outbox = new Outbox(settings.buffer, {
      redact: createRedactor(settings.hide),
      send: (text, sent) => this.#link.send(text, sent),
      socketBytes: () => this.#link.bufferedBytes,
      warn: this.#warn,
    })
    const dial = settings.webSocket === undefined ? dialWs(settings.token) : dialWith(settings.webSocket, settings.token)
    const dialUntraced: Dial = (url, events) => settings.untraced(() => dial(url, events))
    this.#link = new Link(settings.url, dialUntraced, settings.times, {
      hello: () => helloFrame(settings, this.senderId, this.#connections++, this.#sessionToken),
      attached: (ack) => this.#guard('attach', () => this.#onAttached(ack)),
      control: (envelope) => this.#guard('control', () => this.#keeper.control(envelope)),
      lost: () => this.#guard('link-lost', () => this.#onLost()),
      failed: () => this.#settled?.(),
      warn: this.#warn,
    })
    // Methods may be taken off the object by adapters.
    this.gate = this.gate.bind(this)
    this.emit = this.emit.bind(this)
    this.run = this.run.bind(this)
  }

  async run<Result>(name: string, body: (context: RunContext) => Result | Promise<Result>): Promise<Result> {
    const runId = `run_${randomUUID()}`
    const context: RunContext = { runId, name, signal: this.#runs.signal(runId) }
    this.#startRun(runId, { ...this.#settings.meta, name })
    try {
      const result = await this.#runs.enter(context, () => body(context))
      this.emit('run.finished', { status: context.signal.aborted ? 'aborted' : 'ok' }, { runId })
      return result
    } catch (error) {
      this.emit('run.finished', { status: context.signal.aborted ? 'aborted' : 'error', error: toErrorInfo(error) }, { runId })
      throw error
    } finally {
      this.endRun(runId)
    }
  }

  currentRun(): RunContext | undefined {
    return this.#runs.current()
  }

  emit<Type extends EventType>(type: Type, payload: PayloadOf<Type>, options?: { readonly runId?: string | undefined }): void {
    this.#guard('emit', () => {
      if (this.#isSilent) return
      this.#start()
      const runId = this.#runId(options?.runId)
      if (type === 'node.started') this.#nodeStarted(payload as PayloadOf<'node.started'>, runId)
      if (type === 'node.finished') this.#nodeEnded(payload as PayloadOf<'node.finished'>, runId)
      if (type === 'node.error') this.#nodeEnded(payload as PayloadOf<'node.error'>, runId)
      this.#outbox.record(type, payload as Payload, runId)
    })
  }

  gate(point: PausePoint, node: GateNode, options?: GateOptions): Promise<GateDecision> {
    if (!this.gating) return PASS
    try {
      this.#start()
      return this.#keeper.mayHold ? this.#keeper.gate(point, node, options ?? {}, this.#runId(options?.runId)) : PASS
    } catch (error) {
      this.#failed('gate', error)
      return PASS
    }
  }

  mightHold(point: PausePoint, node: GateNode, runId: string): boolean {
    return this.#keeper.mightHold(point, node, runId)
  }

  notePassed({ nodeId, kind, name, instanceId }: GateNode, { runId, input, end }: Parameters<Session['notePassed']>[1]): void {
    this.#guard('loop', () => this.#loops?.passed({ runId, nodeId, kind, name, instanceId, input }, this.#outbox.seq, end))
  }

  runSignal(runId: string): AbortSignal {
    return this.#runs.signal(runId)
  }

  endRun(runId: string): void {
    this.#guard('end-run', () => this.#runs.end(runId))
  }

  connect(): void {
    this.#guard('connect', () => this.#start())
  }

  ready(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    if (this.#isDisposing) return Promise.resolve(false)
    if (this.attached) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (attached: boolean) => {
        clearTimeout(timer)
        this.#readyWaiters.delete(settle)
        this.#refresh()
        resolve(attached)
      }
      // Not unref'd: somebody awaits this, and a process that ends meanwhile would never answer.
      const timer = setTimeout(() => settle(false), options.timeoutMs ?? READY_MS)
      this.#readyWaiters.add(settle)
      this.#refresh()
      this.#started = true
      this.#guard('ready', () => this.#link.kick())
    })
  }

  onAttach(listener: () => void): () => void {
    this.#attachListeners.add(listener)
    return () => void this.#attachListeners.delete(listener)
  }

  stats(): SessionStats {
    return { enabled: true, attached: this.attached, heldGates: this.#keeper.heldGates, ...this.#outbox.stats }
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose().catch((error: unknown) => this.#failed('dispose', error))
    return this.#disposed
  }

  async #dispose(): Promise<void> {
    this.#isDisposing = true
    this.#keeper.dispose()
    if (this.#implicitRunId !== undefined) this.emit('run.finished', { status: 'ok' }, { runId: this.#implicitRunId })
    this.#isSilent = true
    for (const settle of [...this.#readyWaiters]) settle(false)
    this.#link.setRef(true)
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS)
    })
    await Promise.race([this.#flush(), tooLong])
    clearTimeout(timer)
    this.attached = false
    this.#outbox.close()
    this.#link.close()
    this.#attachListeners.clear()
  }

  /** A short program disposes before the handshake is through: what it recorded would be lost without this wait. */
  async #flush(): Promise<void> {
    if (this.#link.isTrying && this.#outbox.stats.buffered > 0) {
      await new Promise<void>((resolve) => {
        this.#settled = resolve
      })
    }
    await this.#outbox.drained()
  }

  #start(): void {
    if (this.#started || this.#isDisposing) return
    this.#started = true
    this.#link.start()
    this.#refresh()
  }

  #startRun(runId: string, meta: Readonly<Record<string, unknown>>): void {
    this.emit('run.started', { app: this.#settings.appName, sdk: this.#settings.sdk, meta }, { runId })
  }

  /** The run of an event: the one named, the one the caller is in, or the session's own for everything else. */
  #runId(named: string | undefined): string {
    if (named !== undefined) {
      if (!isStorableId(named)) throw new TypeError('A run id is text of 1 to 512 characters without NUL or half surrogate pairs.')
      return named
    }
    const current = this.#runs.current()?.runId ?? this.#implicitRunId
    if (current !== undefined) return current
    const runId = `run_${randomUUID()}`
    this.#implicitRunId = runId
    this.#startRun(runId, { ...this.#settings.meta, name: this.#settings.appName, implicit: true })
    return runId
  }

  #onAttached(ack: PayloadOf<'hello.ack'>): void {
    this.#sessionToken = ack.sessionToken
    this.attached = true
    const loading = this.#keeper.attached(ack)
    this.#outbox.open()
    for (const listener of this.#attachListeners) this.#guard('attach-listener', listener)
    // Who waits in ready() was promised that what the debugger wants held is armed by then.
    if (loading === undefined) this.#settleReady()
    else void loading.then(() => this.#settleReady())
    this.#settled?.()
  }

  #settleReady(): void {
    if (this.attached) for (const settle of [...this.#readyWaiters]) settle(true)
  }

  #onLost(): void {
    this.attached = false
    this.#outbox.close()
    this.#keeper.linkLost()
    this.#settled?.()
  }

  #refresh(): void {
    this.gating = this.#keeper.mayHold || !(this.#started || this.#isDisposing)
    this.#link.setEager(this.#readyWaiters.size > 0)
    if (!this.#isDisposing) this.#link.setRef(this.#keeper.heldGates > 0 || this.#readyWaiters.size > 0)
  }

  #holding(node: GateNode, point: PausePoint): void {
    this.#warn('holding', `HOLDING ${node.kind} ${node.name} at the ${point} gate — resume it in ${viewerAddress(this.#settings.url)}`)
  }

  #nodeStarted({ nodeId, kind, name, instanceId, input }: PayloadOf<'node.started'>, runId: string): void {
    this.#loops?.started({ runId, nodeId, kind, name, instanceId, input }, this.#outbox.seq, this.attached)
  }

  #nodeEnded(payload: PayloadOf<'node.finished'> | PayloadOf<'node.error'>, runId: string): void {
    const { nodeId, instanceId, output } = payload
    const end = 'error' in payload ? { error: payload.error } : { output }
    this.#loops?.ended(runId, { nodeId, instanceId }, end, 'event')
  }

  #loop(point: PausePoint, { nodeId, kind, name, instanceId }: GateNode, options: GateOptions, runId: string): LoopFacts | undefined {
    const { input, output, error } = options
    if (point !== 'before') {
      this.#loops?.ended(runId, { nodeId, instanceId }, point === 'error' ? { error } : { output }, 'gate')
      return undefined
    }
    return this.#loops?.reached({ nodeId, kind, name, instanceId, runId, input }, this.#outbox.seq)
  }

  #guard(kind: string, action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#failed(kind, error)
    }
  }

  #failed(kind: string, error: unknown): void {
    this.#warn(
      `internal:${kind}`,
      `something went wrong in the debugger’s client (${kind}): ${toErrorInfo(error).message} The program goes on.`,
    )
  }
}
