import { endOf, type SpanFacts } from './span-facts.ts'

const MAX_PROCESSES = 64
const MAX_HOSTS = 128
const MAX_STRAYS = 512
// LangChain's callbacks stamp whole milliseconds, the spans around them do not.
const TOLERANCE_NANOS = 2_000_000n
const CALLBACKS = /langchain/i

/** A root span, alone or with a trace of its own below it. */
export interface RootSpan {
  readonly runId: string
  readonly spanId: string
  /** What all spans of one process have in common. */
  readonly process: string
  readonly scope: string
  readonly facts: SpanFacts
}

/** A trace that belongs into another one: its root goes below `host`. */
export interface Join {
  readonly stray: RootSpan
  readonly host: RootSpan
}

interface Process {
  readonly hosts: Map<string, RootSpan>
  readonly strays: Map<string, RootSpan>
}

/**
 * Finds traces that are one run: instrumentations that listen to LangChain's callbacks set no context, so they, or the instrumentation of
 * the model client below them, start a new trace for every call. A call belongs to the one agent of its process in whose time it lies;
 * when two agents ran then, nobody can tell, and it stays alone. Bounded; what is forgotten stays alone, too.
 */
export class TraceJoins {
  readonly #processes = new Map<string, Process>()
  #touched = new Set<string>()

  note(root: RootSpan): void {
    const { runId, facts } = root
    const isHost = CALLBACKS.test(root.scope) && facts.role === 'node' && (facts.kind === 'agent' || facts.kind === 'chain')
    if (!isHost && !(facts.final && isStray(root))) return
    const process = this.#process(root.process)
    const map = isHost ? process.hosts : process.strays
    map.set(runId, root)
    const oldest = map.keys().next().value
    if (map.size > (isHost ? MAX_HOSTS : MAX_STRAYS) && oldest !== undefined) map.delete(oldest)
    this.#touched.add(root.process)
  }

  /** The traces to join now. `isSameCall` finds a model call of the host that this one is, for instrumentations that may work on their own, too. */
  take(isSameCall: (join: Join) => boolean): readonly Join[] {
    const joins: Join[] = []
    for (const key of this.#touched) {
      const process = this.#processes.get(key)
      if (process === undefined) continue
      for (const stray of process.strays.values()) {
        const [host, ...others] = [...process.hosts.values()].filter((candidate) => holds(candidate.facts, stray.facts))
        if (host === undefined || others.length > 0) continue
        const join = { stray, host }
        if (!CALLBACKS.test(stray.scope) && stray.facts.kind === 'llm' && !isSameCall(join)) continue
        process.strays.delete(stray.runId)
        joins.push(join)
      }
    }
    this.#touched = new Set()
    return joins
  }

  #process(key: string): Process {
    const known = this.#processes.get(key)
    if (known !== undefined) return known
    const process: Process = { hosts: new Map(), strays: new Map() }
    this.#processes.set(key, process)
    const oldest = this.#processes.keys().next().value
    if (this.#processes.size > MAX_PROCESSES && oldest !== undefined) this.#processes.delete(oldest)
    return process
  }
}

function isStray({ scope, facts }: RootSpan): boolean {
  return CALLBACKS.test(scope) || facts.kind === 'llm' || facts.twinClass === 'embedding'
}

function holds(host: SpanFacts, stray: SpanFacts): boolean {
  if (stray.startNanos + TOLERANCE_NANOS < host.startNanos) return false
  return host.final && endOf(stray) <= endOf(host) + TOLERANCE_NANOS
}
