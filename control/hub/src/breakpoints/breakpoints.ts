import {
  type BreakpointMatcher,
  type BreakpointState,
  breakpointId,
  type PayloadOf,
  parseHitCount,
  type RunInfo,
  type RunMode,
  reportsHits,
  type UiServerMessage,
} from '@graphmind-ai/schema'
import type { HubLimits } from '../limits.ts'
import type { ViewerControl } from '../viewers/parse.ts'
import { type DebugState, withBreakpoint, withoutBreakpoint } from './debug-state.ts'
import { type BreakpointRecord, breakpointStates } from './states.ts'

/** Hits come as fast as a program calls; viewers are told at most this often. */
const TELL_MS = 100

export type DebugControl = Exclude<ViewerControl, { type: 'exec.resume' }>

/** A connected app that said hello. */
export interface ArmedApp {
  readonly capabilities: readonly string[]
  sendBreakpoint(type: 'breakpoint.set' | 'breakpoint.clear', matcher: BreakpointMatcher): void
  sendMode(mode: RunMode): void
}

export interface BreakpointPorts {
  readonly limits: HubLimits
  apps(): readonly ArmedApp[]
  tellViewers(message: UiServerMessage): void
}

/** Breakpoints and mode, shared by all viewers: changes go to every app, and what becomes of each breakpoint to every viewer. */
export class Breakpoints {
  readonly #ports: BreakpointPorts
  readonly #records = new Map<string, BreakpointRecord>()
  #state: DebugState
  #told = ''
  #timer: NodeJS.Timeout | undefined

  constructor(initial: DebugState, ports: BreakpointPorts) {
    this.#state = initial
    this.#ports = ports
  }

  get state(): DebugState {
    return this.#state
  }

  states(): BreakpointState[] {
    return breakpointStates(
      this.#state.breakpoints,
      this.#records,
      this.#ports.apps().map(({ capabilities }) => capabilities),
    )
  }

  /** Does what a viewer asked; the reason when it can't be done. */
  change(control: DebugControl): string | undefined {
    switch (control.type) {
      case 'breakpoint.set': {
        const problem = this.#set(control.payload.matcher)
        if (problem !== undefined) return problem
        break
      }
      case 'breakpoint.clear':
        this.#clear(control.payload.matcher)
        break
      case 'mode.set': {
        const { mode } = control.payload
        this.#state = { ...this.#state, mode }
        for (const app of this.#ports.apps()) app.sendMode(mode)
        break
      }
    }
    // Also when nothing changed: the viewer that asked is answered.
    this.#tellState()
    return undefined
  }

  /** An app said that a breakpoint was hit, or could not be asked. */
  hit({ id, error }: PayloadOf<'breakpoint.hit'>): void {
    const matcher = this.#state.breakpoints.find((other) => breakpointId(other) === id)
    if (matcher === undefined) return
    const { hits } = this.#records.get(id) ?? { hits: 0 }
    this.#records.set(id, error === undefined ? { hits: hits + 1 } : { hits, lastError: error.slice(0, 500) })
    if (error === undefined && matcher.once === true) {
      this.#clear(matcher)
      this.#tellState()
    }
    this.#tellSoon()
  }

  /** An app holds a call at this matcher. Apps that know more than the base contract report hits of extended matchers themselves. */
  held(matcher: BreakpointMatcher, capabilities: readonly string[]): void {
    const isReported = reportsHits(matcher) && capabilities.some((capability) => capability.startsWith('bp-'))
    if (!isReported) this.hit({ id: breakpointId(matcher), nodeId: '' })
  }

  appsChanged(): void {
    this.#tellSoon()
  }

  /** One-shot breakpoints of a run that is over can't hit any more: they are the leftovers of stepping through it. */
  runUpdated({ id, status }: RunInfo): void {
    if (status === 'running') return
    const left = this.#state.breakpoints.filter((matcher) => matcher.once === true && matcher.runId === id)
    if (left.length === 0) return
    for (const matcher of left) this.#clear(matcher)
    this.#tellState()
  }

  dispose(): void {
    clearTimeout(this.#timer)
  }

  #set(matcher: BreakpointMatcher): string | undefined {
    const { limits } = this.#ports
    if (Buffer.byteLength(JSON.stringify(matcher)) > limits.matcherBytes)
      return `A breakpoint may have at most ${limits.matcherBytes} bytes.`
    const count = matcher.hits === undefined ? undefined : parseHitCount(matcher.hits)
    if (count?.ok === false) return count.problem
    const { state, replaced } = withBreakpoint(this.#state, matcher)
    if (state.breakpoints.length > limits.breakpoints) return `At most ${limits.breakpoints} breakpoints can be set. Clear one first.`
    if (state === this.#state) return undefined
    this.#state = state
    // An edited condition is a new one: what was wrong with the old one is no news.
    this.#records.delete(breakpointId(matcher))
    for (const app of this.#ports.apps()) {
      if (replaced !== undefined) app.sendBreakpoint('breakpoint.clear', replaced)
      app.sendBreakpoint('breakpoint.set', matcher)
    }
    return undefined
  }

  #clear(matcher: BreakpointMatcher): void {
    const { state, removed } = withoutBreakpoint(this.#state, matcher)
    if (removed === undefined) return
    this.#state = state
    this.#records.delete(breakpointId(removed))
    for (const app of this.#ports.apps()) app.sendBreakpoint('breakpoint.clear', removed)
  }

  #tellState(): void {
    this.#ports.tellViewers({ type: 'state', ...this.#state })
    this.#tellSoon()
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const message = { type: 'breakpoints', breakpoints: this.states() } as const
      const text = JSON.stringify(message)
      if (text === this.#told) return
      this.#told = text
      this.#ports.tellViewers(message)
    }, TELL_MS).unref()
  }
}
