import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { LiveSpan } from '../live-span.ts'
import type { Phase, WireSpan } from '../span-copy.ts'
import { CollectorLine } from './post.ts'
import { type LostSpans, MAX_BYTES, MAX_PLACES, type Moment, type Place, SpanRing } from './span-ring.ts'

/** Longest a span waits for others to share its request (design 5). */
const BATCH_MS = 20
/** Longest request; far under the limit of collectors, and short enough that the first spans are shown early. */
const MAX_BATCH = { places: 512, bytes: 1024 * 1024 }
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 10_000
/** Longest that forceFlush and shutdown wait for a collector that takes its time. */
const FLUSH_MS = 2000

export interface SpanFeedOptions {
  /** What the collector wants to see, when it listens beyond this machine (design 10). */
  readonly token: string | undefined
  /** Whether the control channel says that the collector is there. While it does not, nothing is sent but what a flush sends. */
  readonly isAttached: () => boolean
  /** Makes our copy of a span at the last moment; undefined when there is nothing to say. */
  readonly copy: (place: Place, session: string) => WireSpan | undefined
  /** Called when the first span of a spell of loss had to go. */
  readonly onLoss: () => void
  /** Called when the collector refused a request for good. */
  readonly onRefused: () => void
}

/** Sends copies of spans to the collector in order, and again to one that comes later. */
export class SpanFeed {
  readonly #line: CollectorLine
  readonly #ring = new SpanRing({ maxPlaces: MAX_PLACES, maxBytes: MAX_BYTES })
  readonly #options: SpanFeedOptions
  #target: { readonly url: string; readonly senderId: string } | undefined
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #retryMs = FIRST_RETRY_MS
  #failedAtMs = Number.NEGATIVE_INFINITY
  #losing = false
  #stopped = false

  constructor(options: SpanFeedOptions) {
    this.#options = options
    this.#line = new CollectorLine(options.token)
  }

  get line(): CollectorLine {
    return this.#line
  }

  /** Names the collector; spans pushed before wait for it. `base` is http(s) without a slash at the end. */
  aim(base: string, senderId: string): void {
    this.#target = { url: `${base}/v1/traces`, senderId }
    this.#schedule(BATCH_MS)
  }

  push(span: LiveSpan, phase: Phase, moment?: Moment): void {
    if (this.#stopped) return
    if (this.#ring.push(span, phase, moment) && !this.#losing) {
      this.#losing = true
      this.#options.onLoss()
    }
    this.#schedule(BATCH_MS)
  }

  /** Every span that is kept, oldest first. */
  spans(): Iterable<LiveSpan> {
    return this.#ring.spans()
  }

  /**
   * Sends everything kept again, at once: the collector is (back) there and may know nothing. So that of `open` spans it learns that they
   * go on, although their start may have left the ring. Answers what can't be sent any more.
   */
  resend(open: Iterable<LiveSpan>): readonly LostSpans[] {
    if (this.#stopped) return []
    this.#losing = false
    this.#retryMs = FIRST_RETRY_MS
    this.#ring.rewind()
    const kept = new Set(this.#ring.spans())
    for (const span of open) if (!kept.has(span)) this.#ring.push(span, 'start')
    this.#cancel()
    this.#schedule(0)
    return this.#ring.takeLost()
  }

  /** Sends what waits; resolves when it is there, or after `limitMs`. Never rejects. Keeps the process alive meanwhile. */
  async flush(limitMs: number = FLUSH_MS): Promise<void> {
    // A host may flush at each of its requests, which must cost nothing where no collector is.
    if (!this.#options.isAttached() && performance.now() - this.#failedAtMs < LAST_RETRY_MS) return
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs)
    })
    await Promise.race([this.#sendAll(), limit])
    clearTimeout(timer)
  }

  /** Sends what waits without waiting for an answer, as far as it fits into one request: for a process that ends this very moment. */
  sendNow(): void {
    if (this.#stopped || this.#target === undefined || !this.#line.isOpen(this.#target.url)) return
    const { places } = this.#ring.pending(MAX_BATCH)
    const body = this.#bodyOf(places, this.#target.senderId)
    if (body !== undefined) this.#line.postNow(this.#target.url, body)
  }

  /** Flushes, then never sends again. */
  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    await this.flush()
    this.#cancel()
    this.#ring.clear()
    this.#line.close()
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined || !this.#options.isAttached() || this.#stopped || this.#target === undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#sendAll()
    }, delayMs)
    this.#timer.unref()
  }

  #cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #sendAll(): Promise<void> {
    this.#sending ??= this.#sendBatches().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendBatches(): Promise<void> {
    while (this.#target !== undefined) {
      const { places, until } = this.#ring.pending(MAX_BATCH)
      if (places.length === 0) return
      const body = this.#bodyOf(places, this.#target.senderId)
      const outcome = body === undefined ? 'sent' : await this.#line.post(this.#target.url, body)
      if (outcome === 'retry') {
        this.#failedAtMs = performance.now()
        this.#schedule(this.#retryMs)
        this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
        return
      }
      if (outcome === 'refused') this.#options.onRefused()
      this.#retryMs = FIRST_RETRY_MS
      this.#ring.delivered(until)
    }
  }

  /** Undefined when nothing of these places is left to say. */
  #bodyOf(places: readonly Place[], session: string): Uint8Array | undefined {
    const wires = places.map((place) => this.#options.copy(place, session)).filter((wire) => wire !== undefined)
    if (wires.length === 0) return undefined
    // A host may put anything into an attribute; one span that can't be written must not stop the others.
    return tryToSerialize(wires) ?? tryToSerialize(wires.filter((wire) => tryToSerialize([wire]) !== undefined))
  }
}

function tryToSerialize(wires: WireSpan[]): Uint8Array | undefined {
  try {
    return ProtobufTraceSerializer.serializeRequest(wires)
  } catch {
    return undefined
  }
}
