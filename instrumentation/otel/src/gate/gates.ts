import type { GateDecision, Session } from '@graphmind-ai/client'
import type { PausePoint, ResumeAction } from '@graphmind-ai/schema'
import type { MarkBook, SpanMarks } from '../marks.ts'
import type { RunTracker } from '../run-tracker.ts'
import type { GateSite } from './gate-site.ts'

/** What a gate can honour, and what it shows while it holds. */
export interface GateFacts {
  readonly actions: readonly ResumeAction[]
  readonly output?: unknown
  readonly error?: unknown
}

export interface GatesParts {
  readonly marks: MarkBook
  readonly runs: RunTracker
  /** Called when something was learnt of a span that has ended already. */
  readonly onLateMark: (site: GateSite) => void
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
    const session = this.#session
    if (session === undefined || this.#closed) return { action: 'continue' }
    const { runId, nodeId, kind, name, instanceId, input } = site
    const parentInstanceId = this.#parts.runs.shownParent(site.span)
    const heldBefore = session.stats().heldGates
    const startMs = performance.now()
    const decision = session.gate(point, { nodeId, kind, name, instanceId, parentInstanceId }, { runId, input, ...facts })
    if (session.stats().heldGates === heldBefore) return await decision

    this.#parts.runs.holdBegins(runId)
    try {
      const verdict = await decision
      if (verdict.action === 'abort') this.#parts.runs.abort(runId)
      return verdict
    } finally {
      this.mark(site, { heldMs: performance.now() - startMs })
      this.#parts.runs.holdEnds(runId)
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

  #tellLateMarks(): void {
    const sites = [...this.#late]
    this.#late.clear()
    for (const site of sites) this.#parts.onLateMark(site)
  }
}
