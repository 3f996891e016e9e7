import type { OtlpFormat } from './decode.ts'
import type { OtlpResource } from './otlp-json.ts'

/** A part holds no more spans than this, so that it can be read in a few milliseconds. */
export const MAX_PART_SPANS = 128

/** What an export request holds of one trace, or a piece of it: a request of its own in the same format, so that every reader of requests reads it. */
export interface TracePart {
  readonly traceId: string
  readonly format: OtlpFormat
  readonly bytes: Uint8Array
  readonly spanCount: number
  readonly outline: TraceOutline
}

/** What the spans of a part say of their run without being mapped. Times are epoch ms. */
export interface TraceOutline {
  readonly app: string
  /** The root span's name, else that of the span that began first. */
  readonly name: string
  readonly startMs: number
  /** What the root says once it has ended. */
  readonly end: { readonly ms: number; readonly failed: boolean } | undefined
}

export interface SplitRequest {
  readonly parts: readonly TracePart[]
  readonly rejectedCount: number
  /** Distinct reasons, the first few. */
  readonly reasons: readonly string[]
}

/** A span that can be kept, as far as its run has to know it. Times are epoch ms. */
export interface CheckedSpan {
  readonly traceId: string
  readonly name: string
  readonly isRoot: boolean
  readonly startMs: number
  /** 0 for a span that is open. */
  readonly endMs: number
  readonly failed: boolean
}

/** Puts together what the spans of one trace say. */
export class OutlineBuilder {
  #app = ''
  #name = ''
  #startMs = Number.POSITIVE_INFINITY
  #root: CheckedSpan | undefined

  add(span: CheckedSpan, app: string): void {
    if (this.#app === '' || span.isRoot) this.#app = app
    if (span.startMs < this.#startMs) {
      this.#startMs = span.startMs
      this.#name = span.name
    }
    // A start copy and its end copy may come in one request: the one that ended says more.
    if (span.isRoot && (this.#root === undefined || this.#root.endMs === 0)) this.#root = span
  }

  build(): TraceOutline {
    const root = this.#root
    return {
      app: this.#app,
      name: root?.name ?? this.#name,
      startMs: Math.trunc(this.#startMs),
      end: root === undefined || root.endMs === 0 ? undefined : { ms: Math.trunc(root.endMs), failed: root.failed },
    }
  }
}

const MAX_REASONS = 5

/** Counts the spans that can't be kept. */
export class Rejections {
  readonly #reasons = new Set<string>()
  count = 0

  add(reason: string): void {
    this.count += 1
    if (this.#reasons.size < MAX_REASONS) this.#reasons.add(reason)
  }

  get reasons(): readonly string[] {
    return [...this.#reasons]
  }
}

/** The name of the program that a resource stands for; empty when it does not say. */
export function appOf({ attributes }: OtlpResource): string {
  // Of a doubled key the last one stands.
  return attributes.findLast(({ key }) => key === 'service.name')?.value.stringValue ?? ''
}
