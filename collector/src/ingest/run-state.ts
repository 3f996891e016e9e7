import type { MappedNode } from '@graphmind-ai/mappings'
import type { GraphNodeHint, RunSource } from '@graphmind-ai/schema'
import type { CallStory, MessagePlace } from './calls.ts'
import type { Inside } from './inside.ts'
import type { Said } from './said.ts'
import type { SpanFacts } from './span-facts.ts'
import type { StartOrder } from './start-order.ts'
import type { StoryWindows } from './story-windows.ts'

/** What has been said of an instance in events so far. Changed in place, as all of the run's state. */
export interface Emitted {
  /** Identity as last sent: node, kind, name, logical parent, start. */
  identity?: string
  parent?: string
  alias?: string
  /** What was said of it and holds; absent before its first word, and while another instance stands for it. */
  said?: Said
  /** Events sent so far by type, which keeps origins apart. */
  readonly sent: { [type: string]: number }
}

export interface SpanRecord {
  readonly id: string
  /** Arrival order in the run. */
  readonly ordinal: number
  ours?: SpanFacts
  other?: SpanFacts
  /** Both copies as one. */
  facts: SpanFacts
  /** Its parent link closed a circle and is ignored. */
  cut: boolean
  /** A chain that turned out to be an agent. */
  promoted?: boolean
  /** The twin directly around this span, and the one directly inside it. */
  outer?: string
  inner?: string
  /** The instance that stands for this span and its twins. */
  keeper: string
  /** What it can be found by from the side: see `callsLike`. */
  callKeys?: readonly string[]
  /** The instance that its place was when it was filed last: see `fileInside`. */
  filedUnder?: string
  readonly emitted: Emitted
}

/** A fact of the whole run, with the span that said it: the earliest start wins, whatever the order of arrival. */
export interface RunFact<Value> {
  readonly value: Value
  readonly startNanos: bigint
  readonly spanId: string
}

export interface HintState {
  readonly fact: RunFact<GraphNodeHint>
  readonly sent?: string
}

/**
 * Everything the assembler knows of one trace. It is changed in place: whoever owns it drops it when the transaction fails, and loads it
 * again from the store, so that it never runs ahead of what is committed.
 */
export interface RunState {
  readonly runId: string
  /** Where the run's first span came from. */
  source: RunSource
  readonly spans: Map<string, SpanRecord>
  /** Known spans by the parent they name, whether that has arrived or not. */
  readonly children: Map<string, string[]>
  /** Spans without a parent, or with a remote parent that is not here. */
  readonly roots: Set<string>
  /** Ids that an event named as a parent or alias target before they were known as shown. */
  readonly pointedAt: Set<string>
  readonly hints: Map<string, HintState>
  /** Node ids of the hints that each span speaks for. */
  readonly hintsOf: Map<string, Set<string>>
  /** Finished model calls by what they can be told by, to find two instrumentations of one call. */
  readonly calls: Map<string, Set<string>>
  /** Spans by the response or the tool call they are, to find what log records are about. */
  readonly subjects: Map<string, readonly string[]>
  /** Uses of tools as the messages tell them, by call id. */
  readonly stories: Map<string, CallStory>
  /** Where the result of a tool call is first told, by call id. */
  readonly results: Map<string, MessagePlace>
  /** The story that a tool's span belongs to. */
  readonly storyOf: Map<string, string>
  /** Spans that are uses of tools and don't say of which call, by the tool's name. */
  readonly toolSpans: Map<string, StartOrder>
  /** Some tool has a span. */
  hasToolSpans: boolean
  /** When the uses of each tool may have run. */
  readonly windows: Map<string, StoryWindows>
  /** What is inside each instance, as far as it was concluded. */
  readonly inside: Map<string, Inside>
  /** Tools that failed without a word: the next request to the model may hold the words, so they wait for it. */
  readonly vague: Set<string>
  /** Spans that came since the run was last concluded. */
  arrived: Set<string>
  /** Spans whose place may have changed since then, those that came among them. */
  moved: Set<string>
  /** What is known of nodes that have no span, by instance id. */
  readonly derived: Map<string, MappedNode>
  openCount: number
  first?: RunFact<{ readonly app?: string; readonly sdk?: SpanFacts['sdk'] }>
  name?: RunFact<string>
  sessionId?: RunFact<string>
  userId?: RunFact<string>
  tags?: RunFact<readonly string[]>
  runStarted?: string
  runFinished?: string
  /** The run was decided without its root; whatever comes takes that back. */
  settled: boolean
  /** The redaction switches of the run's sessions: what only messages tell of a tool's use is hidden like the tool's own. */
  hidden: readonly string[]
  /** Earliest time a run.started or node.started has told, epoch ms: where the run begins for a viewer. */
  saidFrom: number
  /** Events about the run itself sent so far, by type. */
  runSent: { readonly [type: string]: number }
}

export function newRunState(runId: string): RunState {
  return {
    runId,
    source: 'live',
    spans: new Map(),
    children: new Map(),
    roots: new Set(),
    pointedAt: new Set(),
    hints: new Map(),
    hintsOf: new Map(),
    calls: new Map(),
    subjects: new Map(),
    stories: new Map(),
    results: new Map(),
    storyOf: new Map(),
    toolSpans: new Map(),
    hasToolSpans: false,
    windows: new Map(),
    inside: new Map(),
    vague: new Set(),
    arrived: new Set(),
    moved: new Set(),
    derived: new Map(),
    openCount: 0,
    settled: false,
    hidden: [],
    saidFrom: Number.POSITIVE_INFINITY,
    runSent: {},
  }
}

/** The earlier of two facts; equal starts are told apart by span id, so that every order of arrival agrees. */
export function earlier<Value>(known: RunFact<Value> | undefined, fact: RunFact<Value>): RunFact<Value> {
  if (known === undefined || known.spanId === fact.spanId) return fact
  if (fact.startNanos !== known.startNanos) return fact.startNanos < known.startNanos ? fact : known
  return fact.spanId < known.spanId ? fact : known
}
