import type { LoopFacts } from '../gate/state.ts'

/** Ended calls that are remembered of a run and kind, the newest. */
const MAX_ENDED = 64
/** Calls under way at once; the oldest is forgotten first. */
const MAX_OPEN = 256
const LAPS = 3
const FAILURES = 3
const PERIODS = [2, 3, 4]

export interface OpenCall {
  readonly nodeId: string
  /** Node and arguments. */
  readonly fingerprint: string
  readonly seq: number
  readonly instanceId: string | undefined
}

/** Says which call it is. */
export interface CallRef {
  readonly nodeId: string
  readonly instanceId?: string | undefined
}

interface EndedCall extends OpenCall {
  /** Equal for results that are alike, and for failures that are. */
  readonly result: string
  readonly isFailure: boolean
}

/** The calls of one kind in a run, as far as they may be parts of a loop. `seal` makes a fingerprint that nobody can guess values from. */
export class CallHistory {
  readonly #seal: (text: string) => string
  readonly #open = new Map<string, OpenCall & { isAnswered: boolean }>()
  readonly #ended: EndedCall[] = []
  /** Calls that must end before a circle that a person let go on is held again: one lap. */
  #lapLeft = 0

  constructor(seal: (text: string) => string) {
    this.#seal = seal
  }

  /** A call begins; `isAnswered` when a person asked for it, so that it is held for nothing. */
  started(call: OpenCall, isAnswered: boolean): void {
    const key = keyOf(call)
    // The same call on its way through a second gate.
    if (call.instanceId !== undefined && this.#open.has(key)) return
    this.#open.delete(key)
    this.#open.set(key, { ...call, isAnswered })
    const oldest = this.#open.keys().next().value
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest)
  }

  /** A call that began here ends, or another result took the place of its own; of other calls nothing is read. */
  ended(call: CallRef, read: () => { readonly result: string; readonly isFailure: boolean }): void {
    const key = keyOf(call)
    const open = this.#open.get(key)
    if (open === undefined) {
      const at = call.instanceId === undefined ? -1 : this.#ended.findLastIndex(({ instanceId }) => instanceId === call.instanceId)
      const known = this.#ended[at]
      if (known !== undefined) this.#ended[at] = { ...known, ...read() }
      return
    }
    this.#open.delete(key)
    this.#ended.push({ ...open, ...read() })
    if (this.#ended.length > MAX_ENDED) this.#ended.shift()
    if (this.#lapLeft > 0) this.#lapLeft -= 1
  }

  /** What the call would go on with, asked once a call. */
  answer(call: CallRef): LoopFacts | undefined {
    const open = this.#open.get(keyOf(call))
    if (open === undefined || open.isAnswered) return undefined
    open.isAnswered = true
    const loop = this.loopOf(open)
    if (loop?.kind === 'cycle') this.#lapLeft = loop.period ?? 0
    return loop
  }

  /** The loop that a call with these arguments would go on with. */
  loopOf(call: Pick<OpenCall, 'nodeId' | 'fingerprint'>): LoopFacts | undefined {
    return this.#cycle(call.fingerprint) ?? this.#failures(call.nodeId)
  }

  #cycle(next: string): LoopFacts | undefined {
    if (this.#lapLeft > 0) return undefined
    const period = PERIODS.find((length) => this.#isCircle(length, next))
    if (period === undefined) return undefined
    const calls = this.#ended.slice(-period * LAPS)
    return { ...this.#evidence(calls, calls.slice(-period)), kind: 'cycle', period, laps: LAPS }
  }

  #isCircle(period: number, next: string): boolean {
    const calls = this.#ended.slice(-period * LAPS)
    if (calls.length < period * LAPS || calls[0]?.fingerprint !== next) return false
    const lap = calls.slice(0, period)
    if (new Set(lap.map(({ fingerprint }) => fingerprint)).size < 2) return false
    return calls.every(({ fingerprint, result }, index) => {
      const first = lap[index % period]
      return first?.fingerprint === fingerprint && first.result === result
    })
  }

  #failures(nodeId: string): LoopFacts | undefined {
    const calls = this.#ended.filter((call) => call.nodeId === nodeId).slice(-FAILURES)
    const [first] = calls
    if (first === undefined || calls.length < FAILURES) return undefined
    if (!calls.every(({ isFailure, result }) => isFailure && result === first.result)) return undefined
    return { ...this.#evidence(calls, calls), kind: 'error-repeat' }
  }

  #evidence(calls: readonly EndedCall[], shown: readonly EndedCall[]): Omit<LoopFacts, 'kind'> {
    const [first, last] = [calls[0], calls.at(-1)]
    return {
      repeats: 3,
      firstSeq: first?.seq ?? 0,
      lastSeq: last?.seq ?? 0,
      fingerprint: this.#seal(shown.map(({ fingerprint, result }) => `${fingerprint} ${result}`).join('\n')),
      firstInstanceId: first?.instanceId,
      lastInstanceId: last?.instanceId,
      instanceIds: shown.flatMap(({ instanceId }) => instanceId ?? []),
    }
  }
}

function keyOf({ nodeId, instanceId }: CallRef): string {
  return instanceId ?? ` ${nodeId}`
}
