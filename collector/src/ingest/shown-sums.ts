import type { NodeKind, TokenUsage } from '@graphmind-ai/schema'
import { UsageSum } from './usage-sum.ts'

/** What one shown instance adds to its run. */
export interface Contribution {
  readonly nodeId: string | undefined
  readonly name: string | undefined
  readonly kind: NodeKind | undefined
  readonly failed: boolean
  readonly usage: TokenUsage | undefined
}

// What a run is found by, kept in its row: a run of a thousand tools is found by its first hundred.
const MAX_NODE_NAMES = 100
const MAX_NODE_NAME_LENGTH = 200

/** Sums over the shown instances of a run, kept up with each change, so that a long run costs no more than a short one. */
export class ShownSums {
  readonly #nodes = new Map<string, number>()
  readonly #names = new Map<string, number>()
  readonly #kinds = new Map<NodeKind, number>()
  readonly #calls = new UsageSum()
  /** Instances that report tokens, by id: model calls, and everything else. */
  readonly #reports = { calls: new Map<string, TokenUsage>(), others: new Map<string, TokenUsage>() }
  #errors = 0
  #instances = 0

  /** One instance adds something else now; undefined while it is not shown. */
  change(id: string, before: Contribution | undefined, after: Contribution | undefined): void {
    // The new first: what stays keeps its place.
    count(this.#nodes, after?.nodeId, 1)
    count(this.#nodes, before?.nodeId, -1)
    count(this.#names, after?.name?.slice(0, MAX_NODE_NAME_LENGTH), 1)
    count(this.#names, before?.name?.slice(0, MAX_NODE_NAME_LENGTH), -1)
    count(this.#kinds, after?.kind, 1)
    count(this.#kinds, before?.kind, -1)
    this.#instances += Number(after !== undefined) - Number(before !== undefined)
    this.#errors += Number(after?.failed ?? false) - Number(before?.failed ?? false)
    if (before?.usage === after?.usage && before?.kind === after?.kind) return
    if (before?.usage !== undefined) this.#forget(id, before.kind, before.usage)
    if (after?.usage !== undefined) this.#report(id, after.kind, after.usage)
  }

  get nodeCount(): number {
    return this.#nodes.size
  }

  /** How many instances are shown. */
  get stepCount(): number {
    return this.#instances
  }

  get errorCount(): number {
    return this.#errors
  }

  /** In no order. */
  get kinds(): ReadonlySet<NodeKind> {
    return new Set(this.#kinds.keys())
  }

  /** Each once, in order of appearance. */
  get nodeNames(): ReadonlySet<string> {
    const names = new Set<string>()
    for (const name of this.#names.keys()) {
      if (names.size >= MAX_NODE_NAMES) break
      names.add(name)
    }
    return names
  }

  /** Tokens over model calls; where none reports any, over those others for which `counts` is true. */
  usage(counts: (id: string) => boolean): TokenUsage | undefined {
    const calls = this.#calls.total(() => this.#reports.calls.values())
    if (calls !== undefined) return calls
    const sum = new UsageSum()
    for (const [id, usage] of this.#reports.others) if (counts(id)) sum.add(usage)
    return sum.total(() => [])
  }

  #report(id: string, kind: NodeKind | undefined, usage: TokenUsage): void {
    if (kind === 'llm') this.#calls.add(usage)
    this.#reports[kind === 'llm' ? 'calls' : 'others'].set(id, usage)
  }

  #forget(id: string, kind: NodeKind | undefined, usage: TokenUsage): void {
    if (kind === 'llm') this.#calls.take(usage)
    this.#reports[kind === 'llm' ? 'calls' : 'others'].delete(id)
  }
}

function count<Key>(counts: Map<Key, number>, key: Key | undefined, by: 1 | -1): void {
  if (key === undefined) return
  const left = (counts.get(key) ?? 0) + by
  if (left === 0) counts.delete(key)
  else counts.set(key, left)
}
