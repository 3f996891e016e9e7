import type { EnvelopeOf, EventType, PayloadOf } from '../envelope.ts'
import type { ErrorInfo } from '../primitives.ts'
import type { RunPicture, StreamPicture } from './picture.ts'
import type { NodeTally } from './select/node-tally.ts'
import type { NodePicture } from './select/nodes.ts'

export type EventOf<Type extends EventType> = EnvelopeOf<Type, PayloadOf<Type>>
export type Extra = Readonly<Record<string, unknown>>

/** What node.started events said of an instance: the newest value of each field, `null` where it was cleared. */
export interface StartFacts {
  readonly payload: PayloadOf<'node.started'>
  readonly ts: number
  readonly extra: Extra
}

export interface FinishFacts {
  readonly payload: PayloadOf<'node.finished'>
  readonly ts: number
  readonly extra: Extra
}

export interface FailureFacts {
  readonly errors: readonly ErrorInfo[]
  /** The newest value of each field beside the error. */
  readonly payload: PayloadOf<'node.error'>
  readonly ts: number
  readonly extra: Extra
}

/**
 * Everything that was said under one instance id, also before its node.started and after an alias took it out. A picture is derived
 * from the facts of a whole alias group, which is why the order in which they come does not matter.
 */
export interface InstanceFacts {
  readonly id: string
  /** −1 while only others have named this instance. */
  firstSeq: number
  lastSeq: number
  start: StartFacts | undefined
  finish: FinishFacts | undefined
  failure: FailureFacts | undefined
  stream: StreamPicture | undefined
  pauseIds: readonly string[]
  alias: string | undefined
  /** Instances whose alias is this one. */
  aliasedBy: Set<string> | undefined
  /** Instances in this one's alias group that have facts of their own; kept at the root of the group only. */
  contributors: Set<string> | undefined
  /** Instances whose parent, as sent, is this one. */
  children: Set<string> | undefined
}

export interface PauseFacts {
  readonly id: string
  /** The instance as sent, or as attributed while none was sent. */
  owner: string | undefined
  /** True once an event named the owner: a guess gives way to it. */
  ownerSent: boolean
  held: EventOf<'exec.paused'> | undefined
  released: EventOf<'exec.resumed'> | undefined
  refused: EventOf<'exec.refused'> | undefined
}

export type UnattributedEvent = EventOf<'node.finished'> | EventOf<'node.error'> | EventOf<'node.token'>

export interface NodeState {
  /** Ids of the shown instances of this node. */
  readonly shown: Set<string>
  /** Instances in the order they came, for "most recent open"; entries that closed or moved are dropped when met. */
  readonly recent: string[]
  latest: string | undefined
  /** Events without instance id that wait for the node's first instance. */
  waiting: UnattributedEvent[]
  /** Pauses without instance id that wait for the node's next instance. */
  waitingPauses: string[]
  /** Made by the first `nodesOf` and kept up since; undefined when it has to be counted anew. */
  tally: NodeTally | undefined
  /** Cached for `nodesOf`; undefined after a change. */
  picture: NodePicture | undefined
}

export interface Edge {
  readonly from: string
  readonly to: string
  count: number
}

export interface FoldState {
  readonly facts: Map<string, InstanceFacts>
  readonly pauses: Map<string, PauseFacts>
  readonly nodes: Map<string, NodeState>
  readonly edges: Map<string, Map<string, Edge>>
  readonly edgeOf: Map<string, Edge>
  /** What a tree that was made earlier doesn't know: instances that came, or that one went, moved or changed its start. */
  readonly treeNews: { readonly arrived: string[]; stale: boolean }
}

const states = new WeakMap<RunPicture, FoldState>()

export function attachState(run: RunPicture): RunPicture {
  states.set(run, {
    facts: new Map(),
    pauses: new Map(),
    nodes: new Map(),
    edges: new Map(),
    edgeOf: new Map(),
    treeNews: { arrived: [], stale: false },
  })
  return run
}

/** The fold's own indexes of a picture. Throws for a copy, because a copy has lost them. */
export function stateOf(run: RunPicture): FoldState {
  const state = states.get(run)
  if (state === undefined)
    throw new TypeError('This RunPicture was not made by emptyRun. Make one with emptyRun and fold the events into it.')
  return state
}

const NO_IDS: readonly string[] = []

export function factsOf(state: FoldState, id: string): InstanceFacts {
  const known = state.facts.get(id)
  if (known !== undefined) return known
  const facts: InstanceFacts = {
    id,
    firstSeq: -1,
    lastSeq: -1,
    start: undefined,
    finish: undefined,
    failure: undefined,
    stream: undefined,
    pauseIds: NO_IDS,
    alias: undefined,
    aliasedBy: undefined,
    contributors: undefined,
    children: undefined,
  }
  state.facts.set(id, facts)
  return facts
}

export function nodeState(state: FoldState, nodeId: string): NodeState {
  const known = state.nodes.get(nodeId)
  if (known !== undefined) return known
  const node: NodeState = {
    shown: new Set(),
    recent: [],
    latest: undefined,
    waiting: [],
    waitingPauses: [],
    tally: undefined,
    picture: undefined,
  }
  state.nodes.set(nodeId, node)
  return node
}

export function pauseFacts(state: FoldState, pauseId: string): PauseFacts {
  const known = state.pauses.get(pauseId)
  if (known !== undefined) return known
  const pause: PauseFacts = { id: pauseId, owner: undefined, ownerSent: false, held: undefined, released: undefined, refused: undefined }
  state.pauses.set(pauseId, pause)
  return pause
}
