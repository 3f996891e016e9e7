import { type GateDecision, type GateNode, type GateOptions, PASS, type Session } from '@graphmind-ai/client'
import { PAUSE_POINTS, type PausePoint, type ResumeAction } from '@graphmind-ai/schema'
import type { Span } from '@opentelemetry/api'
import { type LiveSpan, liveSpanOf } from '../live-span.ts'
import type { MarkBook, SpanMarks } from '../marks.ts'
import type { RunTracker } from '../run-tracker.ts'
import { forgetMeaning, type GateSite } from './gate-site.ts'

/** What a gate can honour, and what it shows while it holds. */
export interface GateFacts extends Pick<GateOptions, 'output' | 'error' | 'modelEnd' | 'editable' | 'validate'> {
  readonly actions: readonly ResumeAction[]
  /** Where it is no longer what the span said at its start. */
  readonly input?: unknown
}

export interface GatesParts {
  readonly marks: MarkBook
  readonly runs: RunTracker
  /** The nearest drawn span around this one. */
  readonly parentOf: (span: LiveSpan) => string | undefined
  /** Called when something was learnt of a span that has ended already. */
  readonly onLateMark: (site: GateSite) => void
  /** Called when a span that goes on says more of itself than at its start. */
  readonly onDescribed: (span: LiveSpan) => void
  /** Called when a call failed and its framework leaves the span open. */
  readonly onOpenEnd: (site: GateSite, error: unknown) => void
}

/** All gates of this process: asks the session, and notes what was held and for how long. */
export class Gates {
  readonly #parts: GatesParts
  readonly #late = new Set<GateSite>()
  #session: Session | undefined
  #closed = false

  constructor(parts: GatesParts) {
    this.#parts = parts
  }

  /** False while nobody debugs: all that a call pays for us then. */
  get armed(): boolean {
    return this.#session?.gating === true && !this.#closed
  }

  use(session: Session): void {
    this.#session = session
  }

  close(): void {
    this.#closed = true
    this.#tellLateMarks()
  }

  /** Waits for the debugger's word; `continue` at once when nothing holds here. Never rejects. */
  async wait(point: PausePoint, site: GateSite, facts: GateFacts): Promise<GateDecision> {
    return (await this.ask(point, site, facts)) ?? { action: 'continue' }
  }

  /** The same for a caller that must not wait when nothing holds here: undefined then, and nothing asynchronous. */
  ask(point: PausePoint, site: GateSite, facts: GateFacts): Promise<GateDecision> | undefined {
    const session = this.#session
    if (session === undefined || this.#closed) return undefined
    const { runId, input } = site
    const { parentOf, runs } = this.#parts
    const node: GateNode = {
      ...nodeOf(site),
      // Looked for only by a gate that holds.
      get parentInstanceId() {
        return parentOf(site.span)
      },
    }
    const decision = session.gate(point, node, { runId, input, ...facts })
    if (decision === PASS) return undefined
    return runs.isAborted(runId) ? decision : this.#whileHeld(site, decision)
  }

  /** Whether a call needs gates at all: one that nobody knows does so only while a breakpoint asks for it. */
  mayHold(site: GateSite): boolean {
    if (site.kind !== 'custom') return true
    const session = this.#session
    return session !== undefined && PAUSE_POINTS.some((point) => session.mightHold(point, nodeOf(site), site.runId))
  }

  async #whileHeld(site: GateSite, decision: Promise<GateDecision>): Promise<GateDecision> {
    const startMs = performance.now()
    this.#parts.runs.holdBegins(site.runId)
    try {
      const verdict = await decision
      if (verdict.action === 'abort') this.#parts.runs.abort(site.runId)
      return verdict
    } finally {
      this.mark(site, { heldMs: performance.now() - startMs })
      this.#parts.runs.holdEnds(site.runId)
    }
  }

  /** Notes what happened to a call, for our copy of its span. */
  mark(site: GateSite, marks: SpanMarks): void {
    this.#parts.marks.add(site.instanceId, marks)
    if (!site.span.ended) return
    // One call's marks come shortly after each other; its span is sent again once.
    if (this.#late.size === 0) setImmediate(() => this.#tellLateMarks())
    this.#late.add(site)
  }

  /** The span said only now what it stands for. */
  described(span: Span): void {
    const live = liveSpanOf(span)
    if (live === undefined) return
    forgetMeaning(live)
    this.#parts.onDescribed(live)
  }

  /** The call of this span failed, and nobody will ever end the span. */
  endedOpen(site: GateSite, error: unknown): void {
    this.#parts.onOpenEnd(site, error)
  }

  #tellLateMarks(): void {
    const sites = [...this.#late]
    this.#late.clear()
    for (const site of sites) this.#parts.onLateMark(site)
  }
}

function nodeOf({ nodeId, kind, name, instanceId }: GateSite): GateNode {
  return { nodeId, kind, name, instanceId, ...(kind === 'custom' ? { explicitOnly: true } : {}) }
}
