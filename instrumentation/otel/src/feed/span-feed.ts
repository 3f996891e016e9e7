import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { SpanCopy } from '../span-copy.ts'
import { CollectorLine, type PostOutcome } from './post.ts'
import { type LostSpans, MAX_COPIES, MAX_COPY_BYTES, SpanRing } from './span-ring.ts'

/** Longest a copy waits for others to share its request (design 5). */
const BATCH_MS = 20
/** Longest request; far under the limit of collectors, and short enough that the first copies are shown early. */
const MAX_BATCH = { copies: 512, bytes: 1024 * 1024 }
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 10_000
/** Longest that forceFlush and shutdown wait for a collector that takes its time. */
const FLUSH_MS = 2000

export interface SpanFeedOptions {
  /** What the collector wants to see, when it listens beyond this machine (design 10). */
  readonly token: string | undefined
  /** Whether the control channel says that the collector is there; while it does not, it is asked now and then only. */
  readonly isAttached: () => boolean
  /** Called when the first span of a spell of loss had to go. */
  readonly onLoss: () => void
  /** Called when the collector refused a request for good. */
  readonly onRefused: () => void
}

/** Sends span copies to the collector in order, and again to one that comes later. */
export class SpanFeed {
  readonly #line: CollectorLine
  readonly #ring = new SpanRing({ maxCopies: MAX_COPIES, maxBytes: MAX_COPY_BYTES })
  readonly #options: SpanFeedOptions
  #target: { readonly url: string; readonly senderId: string } | undefined
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #retryMs = FIRST_RETRY_MS
  #losing = false
  #stopped = false

  constructor(options: SpanFeedOptions) {
    this.#options = options
    this.#line = new CollectorLine(options.token)
  }

  get line(): CollectorLine {
    return this.#line
  }

  /** Names the collector; copies pushed before wait for it. `base` is http(s) without a slash at the end. */
  aim(base: string, senderId: string): void {
    this.#target = { url: `${base}/v1/traces`, senderId }
    this.#schedule(BATCH_MS)
  }

  push(copy: SpanCopy): void {
    if (this.#stopped) return
    if (this.#ring.push(copy) > 0 && !this.#losing) {
      this.#losing = true
      this.#options.onLoss()
    }
    this.#schedule(BATCH_MS)
  }

  /** Sends everything kept again, at once: the collector is (back) there and may know nothing. Answers what can't be sent any more. */
  resend(): readonly LostSpans[] {
    if (this.#stopped) return []
    this.#losing = false
    this.#retryMs = FIRST_RETRY_MS
    this.#ring.rewind()
    this.#cancel()
    this.#schedule(0)
    return this.#ring.takeLost()
  }

  /** Sends what waits; resolves when it is there, or after `limitMs`. Never rejects. Keeps the process alive meanwhile. */
  async flush(limitMs: number = FLUSH_MS): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs)
    })
    await Promise.race([this.#sendAll(), limit])
    clearTimeout(timer)
  }

  /** Sends what waits without waiting for an answer, as far as it fits into one request: for a process that ends this very moment. */
  sendNow(): void {
    if (this.#stopped || this.#target === undefined) return
    const copies = this.#ring.pending(MAX_BATCH)
    if (copies.length === 0) return
    const body = serializeFor(copies, this.#target.senderId)
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
    if (this.#timer !== undefined || this.#stopped || this.#target === undefined) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        void this.#sendAll()
      },
      this.#options.isAttached() ? delayMs : LAST_RETRY_MS,
    )
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
      const copies = this.#ring.pending(MAX_BATCH)
      if (copies.length === 0) return
      const outcome = await this.#sendBatch(copies, this.#target)
      if (outcome === 'retry') {
        this.#schedule(this.#retryMs)
        this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
        return
      }
      if (outcome === 'refused') this.#options.onRefused()
      this.#retryMs = FIRST_RETRY_MS
      this.#ring.delivered(copies)
    }
  }

  async #sendBatch(copies: readonly SpanCopy[], target: { readonly url: string; readonly senderId: string }): Promise<PostOutcome> {
    const body = serializeFor(copies, target.senderId)
    return body === undefined ? 'refused' : await this.#line.post(target.url, body)
  }
}

// A host may put anything into an attribute; one span that can't be written must not stop the others.
function serializeFor(copies: readonly SpanCopy[], senderId: string): Uint8Array | undefined {
  for (const copy of copies) copy.attributes['graphmind.session'] = senderId
  const wires = copies.map((copy) => copy.wire)
  return tryToSerialize(wires) ?? tryToSerialize(wires.filter((wire) => tryToSerialize([wire]) !== undefined))
}

function tryToSerialize(wires: SpanCopy['wire'][]): Uint8Array | undefined {
  try {
    return ProtobufTraceSerializer.serializeRequest(wires)
  } catch {
    return undefined
  }
}
