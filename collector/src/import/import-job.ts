import type { Envelope } from '@graphmind-ai/schema'
import type { Ingest } from '../ingest/ingest.ts'
import { isStoreFailure } from '../ingest/store-failure.ts'
import type { DecodedSpan } from '../otlp/decode.ts'
import type { DecodedLog } from '../otlp/decode-logs.ts'
import { withAnnounced } from '../otlp/start-notice.ts'
import { messageOf } from '../problem.ts'
import { ImportPacker, type Packing } from './import-packer.ts'
import { TraceReader } from './trace-reader.ts'

/** Something of a file that could not be read. `line` is null where the file has no lines, or as a whole. */
export interface SkippedPart {
  readonly line: number | null
  readonly reason: string
}

/** How far the import of one file has come. */
export interface ImportProgress {
  readonly spans: number
  readonly events: number
  /** Log records that nodes need. */
  readonly logs: number
  /** Parts skipped since the start. */
  readonly skippedCount: number
  /** After the file's end: how far what was stored is packed. */
  readonly packing?: Packing
}

export interface ImportSummary extends ImportProgress {
  readonly runIds: readonly string[]
  /** The first ones; `skippedCount` counts them all. */
  readonly skipped: readonly SkippedPart[]
  /** Something in the file was of a known format, though it may have held no spans. */
  readonly isKnown: boolean
}

const MAX_SKIPPED = 1000

interface ImportedEvent {
  readonly envelope: Envelope
  readonly origin: string | undefined
}

/** The import of one file: reads it piece by piece and stores what is in it. Lives where the ingest lives; inside its transactions. */
export class ImportJob {
  readonly #ingest: Ingest
  readonly #reader: TraceReader
  readonly #packer: ImportPacker
  readonly #runIds = new Set<string>()
  readonly #skipped: SkippedPart[] = []
  #spans: DecodedSpan[] = []
  #logs: DecodedLog[] = []
  #events: ImportedEvent[] = []
  #bytes = 0
  #summary: ImportSummary | undefined
  #counts = { spans: 0, events: 0, logs: 0, skipped: 0 }

  constructor(ingest: Ingest) {
    this.#ingest = ingest
    this.#packer = new ImportPacker(ingest)
    this.#reader = new TraceReader({
      span: (span) => this.#spans.push(span),
      log: (log) => this.#logs.push(log),
      event: (envelope, origin) => this.#events.push({ envelope, origin }),
      skipped: (line, reason) => this.#skip(line, reason),
    })
  }

  /** Stores what is in a piece of the file. */
  take(bytes: Uint8Array): ImportProgress {
    this.#reader.write(bytes)
    this.#bytes += bytes.length
    this.#store()
    return this.#progress()
  }

  /** Packs runs of earlier pieces until it `isEnough`. */
  packEarlier(isEnough: () => boolean): void {
    this.#packer.step(this.#bytes, isEnough)
  }

  /** Settles what was stored the first time, then packs it until it `isEnough`. Call it in one commit after another until it gives the summary. */
  finish(isEnough: () => boolean): ImportProgress | ImportSummary {
    if (this.#summary === undefined) {
      this.#reader.end()
      this.#store()
      this.#ingest.settleImported(this.#runIds)
      this.#summary = { ...this.#progress(), runIds: [...this.#runIds], skipped: this.#skipped, isKnown: this.#reader.isKnown }
      // What this commit has settled can be packed in the next.
      return this.#runIds.size === 0 ? this.#summary : this.#progress()
    }
    const packing = this.#packer.finish(isEnough)
    return packing === undefined ? this.#summary : { ...this.#progress(), packing }
  }

  #progress(): ImportProgress {
    const { skipped, ...counts } = this.#counts
    return { ...counts, skippedCount: skipped }
  }

  #skip(line: number | null, reason: string): void {
    this.#counts.skipped += 1
    if (this.#skipped.length < MAX_SKIPPED) this.#skipped.push({ line, reason })
  }

  #store(): void {
    const spans = fromTheTop(withAnnounced(this.#spans))
    const logs = this.#logs
    const events = this.#events
    this.#spans = []
    this.#logs = []
    this.#events = []
    for (const { view } of spans) this.#touch(view.traceId)
    for (const { envelope } of events) this.#touch(envelope.runId)
    this.#addAll(spans, (span) => {
      this.#ingest.addSpan(span, 'import')
      this.#counts.spans += 1
    })
    this.#addAll(logs, (log) => {
      const runId = this.#ingest.addLog(log, 'import')
      if (runId === undefined) return
      this.#touch(runId)
      this.#counts.logs += 1
    })
    this.#addAll(events, ({ envelope, origin }) => {
      if (this.#ingest.addImportedEvent(envelope, origin)) this.#counts.events += 1
    })
  }

  #touch(runId: string): void {
    this.#runIds.add(runId)
    this.#packer.touched(runId, this.#bytes)
  }

  /** All in one go; where that fails, each alone, as one that can't be taken must not cost the others. */
  #addAll<Item>(items: readonly Item[], add: (item: Item) => void): void {
    if (items.length === 0) return
    const before = { ...this.#counts }
    try {
      this.#ingest.part(() => items.forEach(add))
    } catch (error) {
      this.#passOn(error)
      this.#counts = before
      for (const item of items) this.#addAlone(() => add(item))
    }
  }

  #addAlone(add: () => void): void {
    try {
      this.#ingest.part(add)
    } catch (error) {
      this.#passOn(error)
      this.#skip(null, `a span or event could not be taken in: ${messageOf(error)}`)
    }
  }

  /** A store that fails ends the whole import. */
  #passOn(error: unknown): void {
    if (!this.#ingest.inTransaction || isStoreFailure(error)) throw error
  }
}

/** Earlier starts first, so that parents mostly come before their children and little has to be corrected. */
function fromTheTop(spans: readonly DecodedSpan[]): readonly DecodedSpan[] {
  return spans.toSorted(({ view: one }, { view: other }) =>
    one.startNanos < other.startNanos ? -1 : one.startNanos > other.startNanos ? 1 : 0,
  )
}
