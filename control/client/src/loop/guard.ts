import { createHmac, randomBytes } from 'node:crypto'
import type { NodeKind } from '@graphmind-ai/schema'
import type { LoopFacts } from '../gate/state.ts'
import { CallHistory, type CallRef } from './call-history.ts'
import { type CallEnd, readCallEnd } from './call-result.ts'
import { fingerprint } from './fingerprint.ts'
import type { LoopSettings } from './settings.ts'

/** Runs watched at once; the longest silent one is forgotten. */
const MAX_RUNS = 64
/** Nodes of a run whose loops count as warned of; the oldest is forgotten and may be warned of once more. */
const MAX_WARNED = 64

export interface WatchedCall {
  readonly runId: string
  readonly nodeId: string
  readonly kind: NodeKind
  readonly name: string
  readonly instanceId?: string | undefined
  readonly input: unknown
}

/** Identical calls in a row. */
interface Streak {
  readonly nodeId: string
  readonly fingerprint: string
  readonly repeats: number
  readonly firstSeq: number
  readonly lastSeq: number
  readonly firstInstanceId: string | undefined
  readonly lastInstanceId: string | undefined
  /** The last call was held for it, or is a retry that a person asked for. */
  readonly isAnswered: boolean
  readonly isWarned: boolean
}

interface RunRecord {
  /** By node kind: calls of another kind do not break a streak. */
  readonly streaks: Map<NodeKind, Streak>
  /** By node kind: what circles and failures are seen in. */
  readonly histories: Map<NodeKind, CallHistory>
  /** The nodes whose loop was warned of. */
  readonly warned: Set<string>
  /** The program reports its calls as events, so that its gates need not be counted too. */
  isReported: boolean
  /** The node whose call a person told to run again. */
  retrying: string | undefined
}

/** Watches for a program that makes the same calls again and again. Counts also while nobody debugs, as far as calls are reported. */
export class LoopGuard {
  readonly #settings: LoopSettings
  readonly #warn: (kind: string, message: string) => void
  readonly #runs = new Map<string, RunRecord>()
  readonly #salt = randomBytes(32)

  constructor(settings: LoopSettings, warn: (kind: string, message: string) => void) {
    this.#settings = settings
    this.#warn = warn
  }

  /** A call was reported by its node.started. `mayPause`: somebody is attached who could be asked. */
  started(call: WatchedCall, seq: number, mayPause: boolean): void {
    if (!this.#isWatched(call)) return
    const run = this.#run(call.runId)
    run.isReported = true
    this.#count(run, call, seq, mayPause)
  }

  /** A call went by while nobody was attached, and is told now that somebody is: the next identical one is held. */
  passed(call: WatchedCall, seq: number, end?: () => CallEnd): void {
    if (!this.#isWatched(call) || call.input === undefined) return
    this.#count(this.#run(call.runId), call, seq, false)
    if (end !== undefined)
      this.#runs
        .get(call.runId)
        ?.histories.get(call.kind)
        ?.ended(call, () => readCallEnd(end()))
  }

  /** A call ended, as its event says, or as its gate does in programs that report no calls; again when a person gave it another result. */
  ended(runId: string, call: CallRef, end: CallEnd, from: 'event' | 'gate'): void {
    const run = this.#runs.get(runId)
    if (run === undefined || (from === 'gate' && run.isReported)) return
    for (const history of run.histories.values()) history.ended(call, () => readCallEnd(end))
  }

  /** A call reached its `before` gate: the evidence when it has to be held for repeating itself, once a call. */
  reached(call: WatchedCall, seq: number): LoopFacts | undefined {
    if (!this.#isWatched(call)) return undefined
    const run = this.#run(call.runId)
    if (!run.isReported && call.input !== undefined) this.#count(run, call, seq, true)
    if (this.#settings.mode !== 'pause') return undefined
    const other = run.histories.get(call.kind)?.answer(call)
    const streak = run.streaks.get(call.kind)
    if (streak === undefined || !isAbout(streak, call) || streak.isAnswered) return other
    if (streak.repeats < this.#settings.threshold) return other
    run.streaks.set(call.kind, { ...streak, isAnswered: true })
    const { repeats, firstSeq, lastSeq, firstInstanceId, lastInstanceId } = streak
    return { repeats, firstSeq, lastSeq, fingerprint: streak.fingerprint, kind: 'repeat', firstInstanceId, lastInstanceId }
  }

  /** A person told this node's call to run again: the next one is that, and no repetition. */
  retrying(runId: string, nodeId: string): void {
    const run = this.#runs.get(runId)
    if (run !== undefined) run.retrying = nodeId
  }

  runEnded(runId: string): void {
    this.#runs.delete(runId)
  }

  #isWatched({ kind, name, nodeId }: WatchedCall): boolean {
    const { kinds, allowNodes } = this.#settings
    return kinds.has(kind) && !allowNodes.has(name) && !allowNodes.has(nodeId)
  }

  #count(run: RunRecord, call: WatchedCall, seq: number, mayPause: boolean): void {
    const { nodeId, kind, instanceId } = call
    const streak = run.streaks.get(kind)
    const isRetry = run.retrying === nodeId
    run.retrying = undefined
    // The same call on its way through a second gate, or once more in its own span.
    if (streak !== undefined && instanceId !== undefined && instanceId === streak.lastInstanceId) return
    const print = fingerprint(nodeId, call.input, this.#settings.ignoreKeys)
    if (print === undefined) {
      run.streaks.delete(kind)
      return
    }
    const isAsked = mayPause && this.#settings.mode === 'pause'
    const history = this.#history(run, kind)
    history.started({ nodeId, fingerprint: print, seq, instanceId }, isRetry)
    if (!isAsked) this.#warnOf(run, history, call, print)
    const last = { lastSeq: seq, lastInstanceId: instanceId }
    if (streak?.fingerprint !== print) {
      const first = { nodeId, fingerprint: print, repeats: 1, firstSeq: seq, firstInstanceId: instanceId }
      run.streaks.set(kind, { ...first, ...last, isAnswered: false, isWarned: false })
    } else if (isRetry) {
      run.streaks.set(kind, { ...streak, ...last, isAnswered: true })
    } else {
      const next = { ...streak, ...last, repeats: streak.repeats + 1, isAnswered: false }
      const isLoud = next.repeats >= this.#settings.threshold && !isAsked
      // Names the tool only: the arguments may be private.
      if (isLoud && !streak.isWarned)
        this.#warn(`loop:${call.name}`, `${call.name} was called ${next.repeats} times in a row with the same arguments.`)
      run.streaks.set(kind, { ...next, isWarned: streak.isWarned || isLoud })
    }
  }

  /** Says once of a loop what nobody can be asked about. Names the tool only, as above. */
  #warnOf(run: RunRecord, history: CallHistory, { nodeId, name }: WatchedCall, print: string): void {
    const loop = history.loopOf({ nodeId, fingerprint: print })
    if (loop === undefined) {
      run.warned.delete(nodeId)
      return
    }
    if (run.warned.has(nodeId)) return
    run.warned.add(nodeId)
    const [oldest] = run.warned
    if (run.warned.size > MAX_WARNED && oldest !== undefined) run.warned.delete(oldest)
    if (loop.kind === 'cycle')
      this.#warn(`cycle:${name}`, `${name} begins the same ${loop.period} calls again, which came 3 times with the same results.`)
    else this.#warn(`error-repeat:${name}`, `${name} failed 3 times in a row with the same error.`)
  }

  #history(run: RunRecord, kind: NodeKind): CallHistory {
    const known = run.histories.get(kind)
    if (known !== undefined) return known
    const history = new CallHistory((text) => createHmac('sha256', this.#salt).update(text).digest('hex').slice(0, 32))
    run.histories.set(kind, history)
    return history
  }

  #run(runId: string): RunRecord {
    const run = this.#runs.get(runId) ?? {
      streaks: new Map(),
      histories: new Map(),
      warned: new Set(),
      isReported: false,
      retrying: undefined,
    }
    this.#runs.delete(runId)
    this.#runs.set(runId, run)
    const oldest = this.#runs.keys().next().value
    if (this.#runs.size > MAX_RUNS && oldest !== undefined) this.#runs.delete(oldest)
    return run
  }
}

function isAbout(streak: Streak, { nodeId, instanceId }: WatchedCall): boolean {
  if (streak.nodeId !== nodeId) return false
  return instanceId === undefined || streak.lastInstanceId === undefined || instanceId === streak.lastInstanceId
}
