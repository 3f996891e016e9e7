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

/** A root as the store has it; `mergedInto` is the run that its trace was joined to. */
export type StoredRoot = Omit<RootSpan, 'process'> & { readonly mergedInto: string | null }

export interface Changes {
  readonly joins: readonly Join[]
  /** Traces that were joined, and that another agent may have called as well: nobody can tell. */
  readonly partings: readonly RootSpan[]
}

interface Process {
  readonly hosts: Map<string, RootSpan>
  readonly strays: Map<string, RootSpan>
  readonly joined: Map<string, RootSpan>
}

/**
 * Finds traces that are one run: instrumentations that listen to LangChain's callbacks set no context, so they, or the instrumentation of
 * the model client below them, start a new trace for every call. A call belongs to the one agent of its process in whose time it lies;
 * when two agents ran then, nobody can tell, and it stays alone, or is alone again. Bounded; a process that was forgotten is read from the
 * store when it speaks again.
 */
export class TraceJoins {
  readonly #processes = new Map<string, Process>()
  readonly #stored: (process: string) => readonly StoredRoot[]
  #touched = new Set<string>()

  constructor(stored: (process: string) => readonly StoredRoot[]) {
    this.#stored = stored
  }

  note(root: RootSpan): void {
    const kind = kindOf(root)
    if (kind === undefined) return
    file(this.#process(root.process), kind, root)
    this.#touched.add(root.process)
  }

  /** What to join and to part now. `isSameCall` finds a model call of the host that this one is, for instrumentations that may work on their own, too. */
  take(isSameCall: (join: Join) => boolean): Changes {
    const joins: Join[] = []
    const partings: RootSpan[] = []
    for (const key of this.#touched) {
      const process = this.#process(key)
      for (const stray of process.joined.values()) {
        if (hostsOf(process, stray).length < 2) continue
        process.joined.delete(stray.runId)
        process.strays.set(stray.runId, stray)
        partings.push(stray)
      }
      for (const stray of process.strays.values()) {
        const [host, ...others] = hostsOf(process, stray)
        if (host === undefined || others.length > 0) continue
        const join = { stray, host }
        if (!CALLBACKS.test(stray.scope) && stray.facts.kind === 'llm' && !isSameCall(join)) continue
        process.strays.delete(stray.runId)
        file(process, 'joined', stray)
        joins.push(join)
      }
    }
    this.#touched = new Set()
    return { joins, partings }
  }

  /** Something was undone, and some of what was noted is not there: it is read again from the store. */
  forget(): void {
    this.#processes.clear()
  }

  #process(key: string): Process {
    const known = this.#processes.get(key)
    if (known !== undefined) return known
    const process: Process = { hosts: new Map(), strays: new Map(), joined: new Map() }
    this.#processes.set(key, process)
    const oldest = this.#processes.keys().next().value
    if (this.#processes.size > MAX_PROCESSES && oldest !== undefined) this.#processes.delete(oldest)
    for (const { mergedInto, ...stored } of this.#stored(key)) {
      const root = { ...stored, process: key }
      const kind = kindOf(root)
      if (kind !== undefined) file(process, kind === 'strays' && mergedInto !== null ? 'joined' : kind, root)
    }
    return process
  }
}

const MAX: Readonly<Record<keyof Process, number>> = { hosts: MAX_HOSTS, strays: MAX_STRAYS, joined: MAX_STRAYS }

function file(process: Process, kind: keyof Process, root: RootSpan): void {
  const map = process[kind]
  map.set(root.runId, root)
  const oldest = map.keys().next().value
  if (map.size > MAX[kind] && oldest !== undefined) map.delete(oldest)
}

function hostsOf(process: Process, stray: RootSpan): readonly RootSpan[] {
  return [...process.hosts.values()].filter((candidate) => holds(candidate.facts, stray.facts))
}

function kindOf(root: RootSpan): 'hosts' | 'strays' | undefined {
  const { scope, facts } = root
  if (CALLBACKS.test(scope) && facts.role === 'node' && (facts.kind === 'agent' || facts.kind === 'chain')) return 'hosts'
  return facts.final && isStray(root) ? 'strays' : undefined
}

function isStray({ scope, facts }: RootSpan): boolean {
  return CALLBACKS.test(scope) || facts.kind === 'llm' || facts.twinClass === 'embedding'
}

function holds(host: SpanFacts, stray: SpanFacts): boolean {
  if (stray.startNanos + TOLERANCE_NANOS < host.startNanos) return false
  return host.final && endOf(stray) <= endOf(host) + TOLERANCE_NANOS
}
