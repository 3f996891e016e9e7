import { logKeysOf, type MappedSpan, mapSpan, withLogs } from '@graphmind-ai/mappings'
import type { DecodedSpan } from '../otlp/decode.ts'
import type { StoreWriter } from '../store/writer.ts'
import { assemble } from './assemble.ts'
import type { RunLoader } from './load-run.ts'
import type { LogShelf } from './log-shelf.ts'
import { digest } from './outbox.ts'
import type { RunAppender } from './run-appender.ts'
import type { CachedRun, RunCache } from './run-cache.ts'
import type { ContentSource } from './span-content.ts'
import { writeFacts } from './span-facts.ts'

/** Takes copies of spans into a run: what they mean, what they lead to, and what is kept of them. */
export class SpanIntake {
  readonly #writer: StoreWriter
  readonly #runs: RunCache
  readonly #shelf: LogShelf
  readonly #appender: RunAppender
  readonly #loader: RunLoader
  readonly #nowMs: () => number

  constructor(writer: StoreWriter, runs: RunCache, shelf: LogShelf, appender: RunAppender, loader: RunLoader, nowMs: () => number) {
    this.#writer = writer
    this.#runs = runs
    this.#shelf = shelf
    this.#appender = appender
    this.#loader = loader
    this.#nowMs = nowMs
  }

  /** `renewed` for a copy that is stored already and means something else now. */
  take(run: CachedRun, span: DecodedSpan, renewed = false): void {
    const state = this.#runs.state(run)
    const nowNanos = BigInt(Math.trunc(this.#nowMs())) * 1_000_000n
    const { spanId } = span.view
    const mapped = this.#mapWithLogs(span)
    const raw = JSON.stringify(span.raw)
    const { marks } = span
    const arriving = { mapped, marks, final: span.view.endNanos !== undefined }
    const contents: ContentSource = {
      content: (id, ours) => (id === spanId && ours === marks.ours ? arriving : run.source.content(id, ours)),
    }
    const assembled = assemble(state, { span, mapped, hash: digest(raw), nowNanos, renewed }, contents)
    if (assembled === undefined) return
    this.#storeParts(run, span)
    this.#writer.upsertSpan({
      run: run.row.key,
      span_id: spanId,
      copy: marks.ours ? 1 : 0,
      ordinal: assembled.ordinal,
      resource: span.resource.hash,
      scope: span.scope.hash,
      facts: writeFacts(assembled.facts),
      raw,
    })
    this.#loader.remember(run.row.key, spanId, marks.ours, arriving)
    this.#appender.appendSpanEvents(run, assembled.events)
  }

  #mapWithLogs({ view }: DecodedSpan): MappedSpan {
    const mapped = mapSpan(view)
    if (!this.#shelf.has(view.traceId)) return mapped
    const node = mapped.role === 'node' ? mapped : undefined
    const responseId = node?.extras?.['responseId']
    const keys = logKeysOf(view.spanId, typeof responseId === 'string' ? responseId : undefined, node?.toolCallId)
    const logs = this.#shelf.about(view.traceId, keys)
    return logs.length === 0 ? mapped : mapSpan(withLogs(view, logs))
  }

  #storeParts(run: CachedRun, { resource, scope }: DecodedSpan): void {
    if (!run.parts.has(resource.hash)) {
      this.#writer.insertResource(run.row.key, resource.hash, resource.json)
      run.parts.add(resource.hash)
    }
    if (!run.parts.has(`scope:${scope.hash}`)) {
      this.#writer.insertScope(run.row.key, scope.hash, scope.json)
      run.parts.add(`scope:${scope.hash}`)
    }
  }
}
