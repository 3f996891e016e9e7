import { type BreakpointMatcher, type KnownEnvelope, type PausePoint, type PayloadOf, RESUME_ACTIONS } from '@graphmind-ai/schema'
import { toErrorInfo } from '../error-info.ts'
import type { Payload } from '../record/redact.ts'
import type { HideSwitches } from '../switches.ts'
import { type Breakpoint, compileBreakpoint } from './breakpoint.ts'
import { EDIT_CHECK_MS, mergeEdit, validateEdit } from './edit.ts'
import { concerns, step } from './engine.ts'
import { factsOf, hiddenFor } from './facts.ts'
import type { GateDecision, GateNode, GateOptions } from './gate.ts'
import { mightHold } from './judge.ts'
import { judgeResult, type SmartFacts, type SmartSettings } from './smart.ts'
import { type CheckResult, type EditPolicy, EMPTY_GATE, type GateEffect, type GateInput, type GateState, type LoopFacts } from './state.ts'

/** The one answer of every gate that does not hold, so that passing allocates nothing. */
export const PASS: Promise<GateDecision> = Promise.resolve(Object.freeze({ action: 'continue' as const }))

export interface KeeperPorts {
  emit(type: 'exec.paused' | 'exec.resumed' | 'exec.refused' | 'breakpoint.hit', payload: Payload, runId: string): void
  abortRun(runId: string): void
  abortReason(runId: string): unknown
  /** Called after every change of what is held, armed or aborted. */
  changed(): void
  holding(node: GateNode, point: PausePoint): void
  /** Asked once a gate, right before it is decided: the identical calls that this one is the last of. */
  loop(point: PausePoint, node: GateNode, options: GateOptions, runId: string): LoopFacts | undefined
  /** The same call is about to be made again. */
  retrying(node: GateNode, runId: string): void
  /** A person gave this value in place of the call, its result or its error. */
  replaced(node: GateNode, output: unknown, runId: string): void
}

export interface KeeperOptions {
  /** Unique start of this session's pause ids. */
  readonly pausePrefix: string
  /** Held calls go on by themselves after this many ms; for ever when absent. */
  readonly pauseTimeoutMs: number | undefined
  readonly hide: HideSwitches
  readonly allowEdits: boolean
  readonly smart: SmartSettings
}

interface Waiter {
  readonly runId: string
  readonly point: PausePoint
  readonly node: GateNode
  readonly options: GateOptions
  readonly resolve: (decision: GateDecision) => void
  readonly timer: NodeJS.Timeout | undefined
  /** Stops listening for whether somebody still waits for the call. */
  readonly unsubscribe: () => void
}

/** Owns the promises and timers of held calls; what happens to them is decided by `step`. */
export class Keeper {
  readonly #ports: KeeperPorts
  readonly #options: KeeperOptions
  readonly #waiters = new Map<string, Waiter>()
  #state: GateState = EMPTY_GATE
  #pauses = 0
  #hubEdits = false
  /** Settles when no breakpoint is being loaded any more. */
  #loading: Promise<void> | undefined

  constructor(options: KeeperOptions, ports: KeeperPorts) {
    this.#options = options
    this.#ports = ports
  }

  get heldGates(): number {
    return this.#state.holds.size
  }

  /** False when every gate would pass at once. */
  get mayHold(): boolean {
    return this.#state.armed !== undefined || this.#state.abortedRuns.size > 0
  }

  /** Arms what the debugger wants held. A promise when some of it takes loading first; it never rejects. */
  attached(ack: PayloadOf<'hello.ack'>): Promise<void> | undefined {
    this.#hubEdits = ack.hubCapabilities?.includes('edit-input') ?? false
    const breakpoints = ack.breakpoints.map((matcher) => this.#compile(matcher))
    this.#dispatch({ type: 'attached', breakpoints, mode: ack.mode })
    return this.#loading
  }

  control(envelope: KnownEnvelope): void {
    switch (envelope.type) {
      case 'breakpoint.set':
        this.#dispatch({ type: 'breakpoint.set', breakpoint: this.#compile(envelope.payload.matcher) })
        break
      case 'breakpoint.clear':
        this.#dispatch({ type: 'breakpoint.clear', matcher: envelope.payload.matcher })
        break
      case 'mode.set':
        this.#dispatch({ type: 'mode.set', mode: envelope.payload.mode })
        break
      case 'exec.resume': {
        const { pauseId, action, output, input, requestId } = envelope.payload
        const resume = { pauseId, action, output, input, ...(requestId === undefined ? {} : { requestId }) }
        this.#dispatch({ type: 'resume', resume, nowMs: performance.now() })
        break
      }
      default:
        // Events are for debuggers; one that reaches an app asks nothing of it.
        break
    }
  }

  linkLost(): void {
    this.#dispatch({ type: 'link-lost', nowMs: performance.now() })
  }

  dispose(): void {
    this.#dispatch({ type: 'dispose', nowMs: performance.now() })
  }

  runEnded(runId: string): void {
    this.#dispatch({ type: 'run-ended', runId })
  }

  gate(point: PausePoint, node: GateNode, options: GateOptions, runId: string): Promise<GateDecision> {
    if (options.signal?.aborted === true) return PASS
    const { kind, name, explicitOnly } = node
    const call = { point, kind, name, runId, explicitOnly }
    if (this.#loading !== undefined && this.#isAwaited(call)) return this.#loading.then(() => this.gate(point, node, options, runId))
    const loop = this.#ports.loop(point, node, options, runId)
    const smart = this.#state.armed === undefined ? undefined : this.#smart(point, node, options)
    if (loop === undefined && smart === undefined && !concerns(this.#state, call)) return PASS
    this.#pauses += 1
    const { state, effects } = step(this.#state, {
      type: 'reached',
      pauseId: `${this.#options.pausePrefix}-${this.#pauses}`,
      runId,
      point,
      facts: factsOf(node, options, this.#options.hide),
      findings: { loop, smart },
      actions: options.actions ?? RESUME_ACTIONS,
      edits: this.#edits(options),
      explicitOnly,
      nowMs: performance.now(),
    })
    this.#state = state
    let decision = PASS
    for (const effect of effects) {
      if (effect.type === 'report') this.#report(effect, { runId, point, node })
      if (effect.type === 'hold') decision = this.#hold(effect, { runId, point, node, options })
      if (effect.type === 'pass' && effect.action === 'abort')
        decision = Promise.resolve({ action: 'abort', reason: this.#ports.abortReason(runId) })
    }
    return decision
  }

  /** Whether a call at this point might be held, before its facts are known: a condition counts as met. */
  mightHold(point: PausePoint, { kind, name, explicitOnly }: GateNode, runId: string): boolean {
    return this.#state.armed !== undefined && mightHold(this.#state.armed, { point, kind, name, runId, explicitOnly })
  }

  /** Whether a breakpoint that is still being loaded may want this call. */
  #isAwaited(call: Parameters<Breakpoint['covers']>[0]): boolean {
    return this.#state.armed?.breakpoints.some(({ state, covers }) => state.name === 'loading' && covers(call)) ?? false
  }

  #compile(matcher: BreakpointMatcher): Breakpoint {
    const compiled = compileBreakpoint(matcher)
    if (!('ready' in compiled)) return compiled
    const { loading, ready } = compiled
    const done = Promise.all([this.#loading, ready.then((breakpoint) => this.#loaded(loading, breakpoint))]).then(() => {
      if (this.#loading === done) this.#loading = undefined
    })
    this.#loading = done
    return loading
  }

  #loaded(loading: Breakpoint, breakpoint: Breakpoint): void {
    // Cleared or replaced meanwhile, it is not wanted any more.
    if (this.#state.armed?.breakpoints.includes(loading) === true) this.#dispatch({ type: 'breakpoint.set', breakpoint })
  }

  #report(
    { id, logged, error }: Extract<GateEffect, { type: 'report' }>,
    { runId, point, node }: { runId: string; point: PausePoint; node: GateNode },
  ): void {
    const { nodeId, instanceId } = node
    this.#ports.emit('breakpoint.hit', { id, nodeId, instanceId, point, ...(logged ? { logged } : {}), error }, runId)
  }

  #hold(
    { pauseId, reason, matcher, loop, smart }: Extract<GateEffect, { type: 'hold' }>,
    held: { runId: string; point: PausePoint; node: GateNode; options: GateOptions },
  ): Promise<GateDecision> {
    const { runId, point, node, options } = held
    const { pauseTimeoutMs } = this.#options
    return new Promise((resolve) => {
      const expire = () => this.#dispatch({ type: 'timeout', pauseId, nowMs: performance.now() })
      const timer = pauseTimeoutMs === undefined ? undefined : setTimeout(expire, pauseTimeoutMs).unref()
      const withdraw = () => this.#dispatch({ type: 'withdrawn', pauseId, nowMs: performance.now() })
      options.signal?.addEventListener('abort', withdraw)
      const unsubscribe = () => options.signal?.removeEventListener('abort', withdraw)
      this.#waiters.set(pauseId, { ...held, resolve, timer, unsubscribe })
      const { explicitOnly: _, ...shown } = node
      this.#ports.emit(
        'exec.paused',
        {
          pauseId,
          ...shown,
          point,
          reason,
          actions: options.actions ?? RESUME_ACTIONS,
          editable: this.#hubEdits && this.#edits(options) === 'allowed',
          input: options.input,
          output: options.output,
          error: options.error === undefined ? undefined : toErrorInfo(options.error),
          matcher,
          loop,
          smart,
          deadlineMs: pauseTimeoutMs === undefined ? undefined : Date.now() + pauseTimeoutMs,
        },
        runId,
      )
      if (options.onHold === undefined) this.#ports.holding(node, point)
      else options.onHold()
      this.#ports.changed()
    })
  }

  #smart(point: PausePoint, { kind }: GateNode, options: GateOptions): SmartFacts | undefined {
    const facts = judgeResult(this.#options.smart, point, kind, options)
    if (facts === undefined) return undefined
    const hidden = hiddenFor(this.#options.hide, kind)
    return hidden.input || hidden.output ? { rule: facts.rule } : facts
  }

  #edits(options: GateOptions): EditPolicy {
    if (options.editable !== true) return 'unsupported'
    return this.#options.allowEdits ? 'allowed' : 'disabled'
  }

  #dispatch(input: GateInput): void {
    const { state, effects } = step(this.#state, input)
    this.#state = state
    for (const effect of effects) this.#run(effect)
    this.#ports.changed()
  }

  #run(effect: GateEffect): void {
    switch (effect.type) {
      case 'abort-run':
        this.#ports.abortRun(effect.runId)
        break
      case 'release':
        this.#release(effect)
        break
      case 'refuse':
        this.#refuse(effect)
        break
      case 'check':
        this.#check(effect)
        break
      case 'pass':
      case 'hold':
      case 'report':
        // Answers to `reached`, which `gate` handles itself.
        break
    }
  }

  #refuse({ pauseId, code, message, requestId }: Extract<GateEffect, { type: 'refuse' }>): void {
    const waiter = this.#waiters.get(pauseId)
    if (waiter !== undefined) this.#ports.emit('exec.refused', { pauseId, code, message, requestId }, waiter.runId)
  }

  #release({ pauseId, action, cause, heldMs, injected, edited, requestId }: Extract<GateEffect, { type: 'release' }>): void {
    const waiter = this.#waiters.get(pauseId)
    if (waiter === undefined) return
    this.#waiters.delete(pauseId)
    clearTimeout(waiter.timer)
    waiter.unsubscribe()
    const { nodeId, instanceId } = waiter.node
    const payload = { pauseId, action, cause, heldMs: Math.round(heldMs * 100) / 100, nodeId, instanceId, injected, edited, requestId }
    this.#ports.emit('exec.resumed', payload, waiter.runId)
    if (action === 'retry') this.#ports.retrying(waiter.node, waiter.runId)
    if (injected !== undefined) this.#ports.replaced(waiter.node, injected.output, waiter.runId)
    waiter.resolve(this.#decision(waiter.runId, action, injected, edited))
  }

  #decision(
    runId: string,
    action: GateDecision['action'],
    injected: { readonly output: unknown } | undefined,
    edited: { readonly after: unknown } | undefined,
  ): GateDecision {
    switch (action) {
      case 'inject':
        return { action, output: injected?.output }
      case 'abort':
        return { action, reason: this.#ports.abortReason(runId) }
      case 'continue':
      case 'retry':
        return edited === undefined ? { action } : { action, input: edited.after }
    }
  }

  #check({ pauseId, check, input }: Extract<GateEffect, { type: 'check' }>): void {
    const waiter = this.#waiters.get(pauseId)
    if (waiter === undefined) return
    const answer = (result: CheckResult) => this.#dispatch({ type: 'checked', pauseId, check, result, nowMs: performance.now() })
    const isHidden = hiddenFor(this.#options.hide, waiter.node.kind).input
    const merged = mergeEdit(waiter.options.input, input, isHidden)
    const { validate } = waiter.options
    if (!merged.ok || validate === undefined) answer(merged)
    else void validateEdit(merged, validate, EDIT_CHECK_MS).then(answer)
  }
}
