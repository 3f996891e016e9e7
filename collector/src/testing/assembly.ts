import { mapSpan } from '@graphmind-ai/mappings'
import { emptyRun, foldEnvelope, type InstancePicture, parseEnvelope, type RunPicture } from '@graphmind-ai/schema'
import { assemble, concludeRun } from '../ingest/assemble.ts'
import { digest, type SpanEvent } from '../ingest/outbox.ts'
import { newRunState, type RunState } from '../ingest/run-state.ts'
import type { ContentSource, SpanContent } from '../ingest/span-content.ts'
import type { DecodedSpan } from '../otlp/decode.ts'
import { decodeSpan, type TestSpan, TRACE } from './spans.ts'

/** The assembler with a store in memory: what the worker does, without threads and SQLite. */
export class Assembly {
  readonly state: RunState
  readonly events: SpanEvent[] = []
  readonly #contents = new Map<string, SpanContent>()

  constructor(runId = TRACE) {
    this.state = newRunState(runId)
  }

  /** Takes the spans in as one batch. */
  add(...spans: readonly TestSpan[]): readonly SpanEvent[] {
    const events = spans.flatMap((span) => this.addDecoded(decodeSpan(span)))
    const concluded = concludeRun(this.state, this.source)
    this.events.push(...concluded)
    return [...events, ...concluded]
  }

  /** What is stored, and what has no span. */
  readonly source: ContentSource = {
    content: (id, ours) => {
      const mapped = this.state.derived.get(id)
      return mapped === undefined ? this.#contents.get(`${id}${ours}`) : { mapped, marks: { ours: false }, final: true }
    },
  }

  addDecoded(span: DecodedSpan): readonly SpanEvent[] {
    const mapped = mapSpan(span.view)
    const arriving: SpanContent = { mapped, marks: span.marks, final: span.view.endNanos !== undefined }
    const assembled = assemble(
      this.state,
      { span, mapped, hash: digest(JSON.stringify(span.raw)), nowNanos: 1n },
      {
        content: (id, ours) => (id === span.view.spanId && ours === span.marks.ours ? arriving : this.source.content(id, ours)),
      },
    )
    if (assembled === undefined) return []
    this.#contents.set(`${span.view.spanId}${span.marks.ours}`, arriving)
    this.events.push(...assembled.events)
    return assembled.events
  }

  /** Folds the events as a viewer does. Throws for one that is not a valid envelope, or whose origin came before. */
  picture(): RunPicture {
    const run = emptyRun(this.state.runId)
    const origins = new Set<string>()
    for (const [seq, event] of this.events.entries()) {
      if (origins.has(event.origin)) throw new Error(`origin ${event.origin} came twice`)
      origins.add(event.origin)
      const parsed = parseEnvelope({ gm: 1, seq, ts: event.ts, runId: run.runId, type: event.type, payload: JSON.parse(event.json) })
      if (parsed.outcome !== 'ok') throw new Error(`${event.type} is not valid: ${JSON.stringify(parsed)}`)
      foldEnvelope(run, parsed.envelope)
    }
    return run
  }
}

/** The instance whose node has this name. */
export function instanceNamed(run: RunPicture, name: string): InstancePicture {
  const found = [...run.instances.values()].filter((instance) => instance.name === name)
  const [instance] = found
  if (instance === undefined || found.length > 1) throw new Error(`${found.length} instances are called ${name}`)
  return instance
}

/** The name of the parent of the instance with this name; undefined at the top. */
export function parentName(run: RunPicture, name: string): string | undefined {
  const { parentInstanceId } = instanceNamed(run, name)
  return parentInstanceId === undefined ? undefined : run.instances.get(parentInstanceId)?.name
}

/** All that a user sees of a run, whatever the instances are called and in which order they came. */
export function canonical(run: RunPicture): object {
  const keyOf = (id: string | undefined) => {
    const instance = id === undefined ? undefined : run.instances.get(id)
    return instance === undefined ? id : `${instance.nodeId}@${instance.startNanos}`
  }
  const instances = [...run.instances.values()]
    .map(({ id, firstSeq: _first, lastSeq: _last, traceId: _trace, spanId: _span, parentInstanceId, ...shown }) => ({
      key: keyOf(id),
      ...shown,
      parent: keyOf(parentInstanceId),
    }))
    .sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1))
  const { app, name, sdk, meta, status, error, startedAt, finishedAt } = run
  return { app, name, sdk, meta, status, error, startedAt, finishedAt, instances, hints: [...run.hints.values()].sort(byNodeId) }
}

/** Instances of one node that began together are told apart by what they hold. */
function textOf(instance: { readonly key: string | undefined }): string {
  return `${instance.key} ${JSON.stringify(instance)}`
}

function byNodeId(one: { nodeId: string }, other: { nodeId: string }): number {
  return one.nodeId < other.nodeId ? -1 : 1
}
