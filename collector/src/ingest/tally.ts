import type { NodeKind, RunState as RunStatusState, TokenUsage } from '@graphmind-ai/schema'
import { HeldTally, type HeldTime } from './held-tally.ts'
import { type Contribution, ShownSums } from './shown-sums.ts'

interface TallyInstance {
  nodeId?: string
  name?: string
  kind?: NodeKind
  parent?: string
  alias?: string
  usage?: TokenUsage
  hasError: boolean
  status?: string
  started: boolean
  /** Epoch ms. */
  startedAt: number
  heldMs?: number
}

/** What the runs list says of a run, counted from its events; the same for trace runs and for runs that apps sequence themselves. */
export interface Tally {
  readonly instances: Map<string, TallyInstance>
  readonly models: Set<string>
  readonly shown: ShownSums
  readonly held: HeldTally
  /** By node: its instances in the order they came, those that have ended dropped when they are met, and the last one. */
  readonly recent: Map<string, { readonly open: string[]; latest: string }>
  app: string
  name: string
  source: string
  sessionId: string | null
  status: RunStatusState
  /** Epoch ms. */
  startedAt: number | undefined
  finishedAt: number | null
  lastTs: number
  eventCount: number
}

/** The few fields of a payload that count. */
export interface TallyEvent {
  readonly type: string
  readonly ts: number
  readonly payload: { readonly [key: string]: unknown }
}

const AGENT_KINDS: ReadonlySet<string> = new Set(['agent', 'llm', 'tool', 'chain', 'retriever', 'server', 'resource', 'prompt'])
const SOURCES: ReadonlySet<unknown> = new Set(['live', 'import', 'demo'])

/** The counts of a run without events. */
export function newTally(): Tally {
  return {
    instances: new Map(),
    models: new Set(),
    shown: new ShownSums(),
    held: new HeldTally(),
    recent: new Map(),
    app: '',
    name: '',
    source: 'live',
    sessionId: null,
    status: 'running',
    startedAt: undefined,
    finishedAt: null,
    lastTs: 0,
    eventCount: 0,
  }
}

/** Counts one stored event in. Odd payloads count as far as they make sense; it never throws. */
export function tallyEvent(tally: Tally, { type, ts, payload }: TallyEvent): void {
  tally.eventCount += 1
  if (ts > tally.lastTs) tally.lastTs = ts
  if (tally.status === 'abandoned') revive(tally)
  if (type === 'run.started') startRun(tally, payload)
  else if (type === 'run.finished') finishRun(tally, ts, payload)
  else if (type.startsWith('node.')) tallyNode(tally, type, ts, payload)
  else tally.held.event(type, payload['pauseId'], ts)
  if (type === 'run.started' || type === 'node.started') tally.startedAt = Math.min(tally.startedAt ?? ts, ts)
}

function revive(tally: Tally): void {
  tally.status = 'running'
  tally.finishedAt = null
}

function startRun(tally: Tally, payload: TallyEvent['payload']): void {
  const meta = isFields(payload['meta']) ? payload['meta'] : {}
  if (typeof payload['app'] === 'string' && payload['app'] !== '') tally.app = payload['app']
  if (typeof meta['name'] === 'string' && meta['name'] !== '') tally.name = meta['name']
  if (typeof meta['sessionId'] === 'string') tally.sessionId = meta['sessionId']
  if (SOURCES.has(meta['source'])) tally.source = String(meta['source'])
  if (payload['reopened'] === true) revive(tally)
}

function finishRun(tally: Tally, ts: number, payload: TallyEvent['payload']): void {
  const { status } = payload
  tally.status = status === 'error' || status === 'aborted' ? status : 'ok'
  tally.finishedAt = ts
}

function tallyNode(tally: Tally, type: string, ts: number, payload: TallyEvent['payload']): void {
  if (typeof payload['model'] === 'string') tally.models.add(payload['model'])
  if (type === 'node.token') return
  const id = typeof payload['instanceId'] === 'string' ? payload['instanceId'] : attributed(tally, payload['nodeId'])
  if (id === undefined) return
  const instance = instanceOf(tally, id)
  const before = contributionOf(instance)
  const isNew = !instance.started
  if (type === 'node.started') instance.startedAt = ts
  noteEvent(instance, type, payload)
  if (isNew && instance.started && instance.nodeId !== undefined) noteRecent(tally, id, instance.nodeId)
  const after = contributionOf(instance)
  tally.shown.change(id, before, after)
  tally.held.said(id, instance.startedAt, after === undefined ? undefined : instance.heldMs)
}

/** The instance of an event that names only its node: the most recent open one, else the most recent one (as the fold's attribution). */
function attributed(tally: Tally, nodeId: unknown): string | undefined {
  const node = typeof nodeId === 'string' ? tally.recent.get(nodeId) : undefined
  for (let id = node?.open.at(-1); id !== undefined; id = node?.open.at(-1)) {
    if (tally.instances.get(id)?.status === undefined) return id
    node?.open.pop()
  }
  return node?.latest
}

function noteRecent(tally: Tally, id: string, nodeId: string): void {
  const node = tally.recent.get(nodeId)
  if (node === undefined) tally.recent.set(nodeId, { open: [id], latest: id })
  else {
    node.open.push(id)
    node.latest = id
  }
}

function noteEvent(instance: TallyInstance, type: string, payload: TallyEvent['payload']): void {
  clear(instance, payload['cleared'])
  if (type === 'node.started') {
    instance.started = true
    if (typeof payload['nodeId'] === 'string') instance.nodeId = payload['nodeId']
    if (typeof payload['name'] === 'string') instance.name = payload['name']
    if (typeof payload['kind'] === 'string') instance.kind = payload['kind'] as NodeKind
    replace(instance, 'parent', payload['parentInstanceId'])
    replace(instance, 'alias', payload['aliasOf'])
  }
  if (type === 'node.error') instance.hasError = true
  if (type !== 'node.started' && typeof payload['heldMs'] === 'number') instance.heldMs = payload['heldMs']
  if (type !== 'node.finished') return
  if (isUsage(payload['usage'])) instance.usage = payload['usage']
  if (typeof payload['status'] === 'string') instance.status = payload['status']
}

/** What a shown instance counts for: started, and no alias of another. */
function contributionOf({ started, alias, nodeId, name, kind, hasError, status, usage }: TallyInstance): Contribution | undefined {
  return started && alias === undefined ? { nodeId, name, kind, failed: hasError || status === 'error', usage } : undefined
}

/** Takes back what the event says holds no longer (as the fold's clearFacts). */
function clear(instance: TallyInstance, cleared: unknown): void {
  if (!Array.isArray(cleared)) return
  const names = new Set<unknown>(cleared)
  const isEnd = names.has('*') || names.has('status')
  if (isEnd || names.has('usage')) delete instance.usage
  if (isEnd) delete instance.status
  if (isEnd || names.has('heldMs')) delete instance.heldMs
  if (names.has('*') || names.has('error')) instance.hasError = false
}

function replace(instance: TallyInstance, field: 'parent' | 'alias', value: unknown): void {
  if (typeof value === 'string') instance[field] = value
  else if (value === null) delete instance[field]
}

function instanceOf(tally: Tally, id: string): TallyInstance {
  const known = tally.instances.get(id)
  if (known !== undefined) return known
  const instance: TallyInstance = { hasError: false, started: false, startedAt: 0 }
  tally.instances.set(id, instance)
  return instance
}

export interface TallySums {
  readonly nodeCount: number
  /** How many instances are shown. */
  readonly stepCount: number
  readonly held: HeldTime
  readonly errorCount: number
  readonly category: 'agent' | 'other'
  readonly usage: TokenUsage | undefined
  /** Each once, in order of appearance. */
  readonly kinds: ReadonlySet<NodeKind>
  readonly nodeNames: ReadonlySet<string>
}

/** Sums over the shown instances. Tokens: over model calls; where none reports any, over the outermost that do (as the fold's runUsage). */
export function sumTally(tally: Tally): TallySums {
  const { nodeCount, stepCount, errorCount, kinds, nodeNames } = tally.shown
  const category = [...kinds].some((kind) => AGENT_KINDS.has(kind)) ? 'agent' : 'other'
  const held = tally.held.within(tally.startedAt ?? 0, tally.finishedAt)
  const usage = tally.shown.usage((id) => !insideReporting(tally, id))
  return { nodeCount, stepCount, held, errorCount, category, kinds, nodeNames, usage }
}

function insideReporting(tally: Tally, id: string): boolean {
  const seen = new Set([id])
  for (let up = tally.instances.get(id)?.parent; up !== undefined && !seen.has(up); up = tally.instances.get(up)?.parent) {
    seen.add(up)
    const parent = tally.instances.get(up)
    if (parent?.usage !== undefined && parent.started && parent.alias === undefined) return true
  }
  return false
}

function isFields(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}

function isUsage(value: unknown): value is TokenUsage {
  return isFields(value) && typeof value['inputTokens'] === 'number' && typeof value['outputTokens'] === 'number'
}
