import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type DerivedNode, deriveNodes, type LogView, logKeysOf, mapSpan, withLogs } from '@graphmind-ai/mappings'
import type { GraphNodeHint } from '@graphmind-ai/schema'
import { type DecodedSpan, decodedSpan, surroundingsOf } from '../otlp/decode.ts'
import { marksOf } from '../otlp/marks.ts'
import { isFields } from '../otlp/read-value.ts'
import { toSpanView, viewContext } from '../otlp/span-view.ts'
import { addRecord, placeSpan, updateRecord } from './assemble.ts'
import { factsOfDerived, innerAgentOf } from './derived.ts'
import { setHint } from './hints.ts'
import type { LogShelf } from './log-shelf.ts'
import { digest } from './outbox.ts'
import { relate } from './relations.ts'
import { finishDigest, noteRunFacts, noteSaidFrom } from './run-events.ts'
import { type Emitted, newRunState, type RunState } from './run-state.ts'
import { identityText, saidAfter } from './said.ts'
import type { ContentSource, SpanContent } from './span-content.ts'
import { readFacts } from './span-facts.ts'
import { newTally, type Tally, tallyEvent } from './tally.ts'
import type { StoredRoot } from './trace-joins.ts'

// A commit takes some hundred spans; a call with its messages is some ten KB.
const MAX_RECENT = 512
// As many as the joins remember of one process.
const MAX_ROOTS = 640

type Fields = { readonly [key: string]: unknown }

/** Takes a run up again from what is stored: on the writing connection, so that it sees the open transaction. */
export class RunLoader {
  readonly #events: StatementSync
  readonly #counts: StatementSync
  readonly #facts: StatementSync
  readonly #spans: StatementSync
  readonly #content: StatementSync
  readonly #roots: StatementSync
  readonly #removeSpan: StatementSync

  readonly #logs: LogShelf
  readonly #recent = new Map<string, SpanContent>()

  constructor(database: DatabaseSync, logs: LogShelf) {
    this.#logs = logs
    this.#events = database.prepare("SELECT ts, type, origin, payload FROM events WHERE run = ? AND type <> 'node.token' ORDER BY seq")
    this.#counts = database.prepare('SELECT count(*) AS count, max(ts) AS ts FROM events WHERE run = ?')
    this.#facts = database.prepare('SELECT span_id, facts FROM spans WHERE run = ? ORDER BY ordinal, copy')
    this.#spans = database.prepare('SELECT count(DISTINCT span_id) AS count FROM spans WHERE run = ?')
    this.#removeSpan = database.prepare('DELETE FROM spans WHERE run = ? AND span_id = ?')
    this.#roots = database.prepare(
      `SELECT runs.id AS run_id, runs.merged_into, spans.span_id, spans.facts, scopes.body AS scope FROM resources
       JOIN runs ON runs.key = resources.run
       JOIN spans ON spans.run = resources.run AND spans.resource = resources.hash
       JOIN scopes ON scopes.run = spans.run AND scopes.hash = spans.scope
       WHERE resources.hash = ? AND json_extract(spans.facts, '$.parent') IS NULL ORDER BY resources.run DESC LIMIT ${MAX_ROOTS}`,
    )
    this.#content = database.prepare(
      `SELECT spans.raw, spans.facts, resources.body AS resource, scopes.body AS scope FROM spans
       JOIN resources ON resources.run = spans.run AND resources.hash = spans.resource
       JOIN scopes ON scopes.run = spans.run AND scopes.hash = spans.scope
       WHERE spans.run = ? AND spans.span_id = ? AND spans.copy = ?`,
    )
  }

  tally(run: number): Tally {
    const tally = newTally()
    for (const row of this.#events.iterate(run)) {
      tallyEvent(tally, { type: String(row['type']), ts: Number(row['ts']), payload: fieldsOf(row['payload']) })
    }
    const counts = this.#counts.get(run)
    tally.eventCount = Number(counts?.['count'] ?? 0)
    tally.lastTs = Number(counts?.['ts'] ?? 0)
    return tally
  }

  spanCount(run: number): number {
    return Number(this.#spans.get(run)?.['count'] ?? 0)
  }

  /** What the assembler knows of a run; of one that `isNew` nothing but log records may be stored. */
  state(run: number, runId: string, isNew: boolean): RunState {
    const state = newRunState(runId)
    if (isNew && !this.#logs.has(runId)) return state
    for (const row of this.#facts.iterate(run)) {
      const id = String(row['span_id'])
      const facts = readFacts(String(row['facts']))
      const known = state.spans.get(id)
      const record = known === undefined ? addRecord(state, id, facts) : updateRecord(state, known, facts)
      noteRunFacts(state, record)
      placeSpan(state, record)
    }
    for (const { id, facts } of [...state.spans.values()]) {
      const inner = innerAgentOf(id, facts)
      if (inner !== undefined) addDerived(state, inner, facts.app)
    }
    const logs = this.#logs.ofSession(runId)
    for (const node of deriveNodes(logs)) addDerived(state, node, appOf(logs))
    state.arrived = new Set(state.spans.keys())
    state.moved = new Set(state.spans.keys())
    for (const node of relate(state, this.source(run, runId)).derived) addDerived(state, node, undefined)
    for (const row of this.#events.iterate(run)) {
      restoreEvent(state, {
        type: String(row['type']),
        ts: Number(row['ts']),
        origin: String(row['origin']),
        payload: String(row['payload']),
      })
    }
    for (const { id, facts, emitted } of state.spans.values()) {
      if (
        facts.kind === 'tool' &&
        facts.status === 'error' &&
        emitted.said?.['status'] !== undefined &&
        emitted.said['error'] === undefined
      )
        state.vague.add(id)
    }
    return state
  }

  /** Keeps what a copy that was just taken in means, which the end of its commit often asks for again. */
  remember(run: number, spanId: string, ours: boolean, content: SpanContent): void {
    if (this.#recent.size >= MAX_RECENT) this.#recent.clear()
    this.#recent.set(`${run}:${spanId}:${ours}`, content)
  }

  /** The commit is over, or part of it was undone. */
  forget(): void {
    this.#recent.clear()
  }

  /** Reads stored copies of the run's spans, with what log records say of them. */
  source(run: number, runId: string): ContentSource {
    return {
      content: (spanId, ours) => {
        const recent = this.#recent.get(`${run}:${spanId}:${ours}`)
        if (recent !== undefined) return recent
        const row = this.#content.get(run, spanId, ours ? 1 : 0)
        return row === undefined ? undefined : this.#contentOf(runId, spanId, row)
      },
    }
  }

  /** Root spans of one process in the runs that came last, newest first. */
  roots(process: string): readonly StoredRoot[] {
    return this.#roots.all(process).map((row) => ({
      runId: String(row['run_id']),
      spanId: String(row['span_id']),
      scope: viewContext({ attributes: [] }, JSON.parse(String(row['scope']))).scope.name,
      facts: readFacts(String(row['facts'])),
      mergedInto: row['merged_into'] === null ? null : String(row['merged_into']),
    }))
  }

  removeSpan(run: number, spanId: string): void {
    this.#removeSpan.run(run, spanId)
  }

  /** The stored copies of one span, as they were decoded. */
  copies(run: number, spanId: string): readonly DecodedSpan[] {
    return [1, 0].flatMap((copy) => {
      const row = this.#content.get(run, spanId, copy)
      if (row === undefined) return []
      const surroundings = surroundingsOf(JSON.parse(String(row['resource'])), JSON.parse(String(row['scope'])))
      return [decodedSpan(JSON.parse(String(row['raw'])), surroundings)]
    })
  }

  #contentOf(runId: string, spanId: string, row: Fields): SpanContent {
    const { final, responseId, toolCallId } = readFacts(String(row['facts']))
    const context = viewContext(JSON.parse(String(row['resource'])), JSON.parse(String(row['scope'])))
    const view = toSpanView(JSON.parse(String(row['raw'])), context, !final)
    const logs = this.#logs.about(runId, logKeysOf(spanId, responseId, toolCallId))
    return { mapped: mapSpan(withLogs(view, logs)), marks: marksOf(view.attributes), final }
  }
}

function addDerived(state: RunState, node: DerivedNode, app: string | undefined): void {
  state.derived.set(node.id, node.mapped)
  const record = addRecord(state, node.id, factsOfDerived(node, app))
  noteRunFacts(state, record)
  placeSpan(state, record)
}

/** The program that wrote these records. */
export function appOf(logs: readonly LogView[]): string | undefined {
  const app = logs[0]?.resource['service.name']
  return typeof app === 'string' && app !== '' ? app : undefined
}

interface StoredRow {
  readonly type: string
  readonly ts: number
  readonly origin: string
  readonly payload: string
}

/** Puts back what this event said, so that it is not said again. */
function restoreEvent(state: RunState, row: StoredRow): void {
  const payload = fieldsOf(row.payload)
  if (row.type === 'run.started' || row.type === 'node.started') noteSaidFrom(state, row.ts)
  const id = spanIdOf(row)
  if (id === undefined) {
    for (const name of ['instanceId', 'parentInstanceId']) if (typeof payload[name] === 'string') state.pointedAt.add(payload[name])
    return
  }
  if (row.type.startsWith('run.')) {
    state.runSent = countUp(state.runSent, row.type)
    if (row.type === 'run.finished') {
      state.runFinished = finishDigest(row.ts, row.payload)
      state.settled = state.roots.size === 0
    } else restoreRunStarted(state, payload)
    return
  }
  const record = state.spans.get(id)
  if (record === undefined) return
  restoreEmitted(state, record.emitted, row, payload)
  record.emitted.sent[row.type] = (record.emitted.sent[row.type] ?? 0) + 1
  if (row.type === 'graph.hint') restoreHints(state, id, payload)
}

/** The span or derived node an event of ours is about: `span:<id>:<type>` with or without a hash behind; ids may hold colons. */
function spanIdOf({ origin, type }: StoredRow): string | undefined {
  if (!origin.startsWith('span:')) return undefined
  const end = origin.lastIndexOf(`:${type}`)
  return end < 5 ? undefined : origin.slice(5, end)
}

function restoreRunStarted(state: RunState, payload: Fields): void {
  const { reopened, ...facts } = payload
  state.runStarted = digest(JSON.stringify(facts))
  if (isFields(payload['meta']) && payload['meta']['source'] === 'import') state.source = 'import'
  if (reopened === true) delete state.runFinished
}

function restoreEmitted(state: RunState, emitted: Emitted, row: StoredRow, payload: Fields): void {
  if (row.type !== 'node.started' && row.type !== 'node.finished' && row.type !== 'node.error') return
  emitted.said = saidAfter(emitted.said ?? {}, payload)
  if (row.type !== 'node.started') return
  const { nodeId, kind, name, parentId, startTimeUnixNano, parentInstanceId, aliasOf } = payload
  if (typeof aliasOf === 'string') {
    state.pointedAt.add(aliasOf)
    delete emitted.said
    emitted.alias = aliasOf
    return
  }
  delete emitted.alias
  delete emitted.parent
  emitted.identity = identityText(nodeId, kind, name, parentId, startTimeUnixNano)
  if (typeof parentInstanceId !== 'string') return
  state.pointedAt.add(parentInstanceId)
  emitted.parent = parentInstanceId
}

function restoreHints(state: RunState, spanId: string, payload: Fields): void {
  const startNanos = state.spans.get(spanId)?.facts.startNanos ?? 0n
  for (const node of (payload['nodes'] ?? []) as readonly GraphNodeHint[]) {
    const { parentId: _parentId, ...value } = node
    setHint(state, node.nodeId, { fact: { value, startNanos, spanId }, sent: JSON.stringify(node) })
  }
}

function countUp(sent: { readonly [type: string]: number }, type: string): { readonly [type: string]: number } {
  return { ...sent, [type]: (sent[type] ?? 0) + 1 }
}

function fieldsOf(json: unknown): Fields {
  const value: unknown = JSON.parse(String(json))
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
