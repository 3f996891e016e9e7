/** An OTLP AnyValue in plain JavaScript. A 64-bit integer outside the safe range stays a bigint; nothing is rounded. */
export type AttributeValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue }

/** Attributes by key, without a prototype, so that `__proto__` is a key like any other. */
export type Attributes = { readonly [key: string]: AttributeValue }

export interface SpanEventView {
  readonly name: string
  /** Nanoseconds since 1970. */
  readonly timeNanos: bigint
  readonly attributes: Attributes
}

export interface SpanLinkView {
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
}

/** The one read-only view of a span; live spans and decoded OTLP both adapt to it. Ids are lower-case hex. */
export interface SpanView {
  readonly traceId: string
  readonly spanId: string
  /** Absent for a root; an all-zero parent counts as absent. */
  readonly parentSpanId: string | undefined
  /** The parent is in another process (OTLP flags bit 9 with bit 8 set). */
  readonly parentIsRemote: boolean
  readonly name: string
  /** OTLP number: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number
  readonly startNanos: bigint
  /** Absent while the span is open: a start copy, or a sender that exports unfinished spans. */
  readonly endNanos: bigint | undefined
  readonly status: { readonly code: 'unset' | 'ok' | 'error'; readonly message: string | undefined }
  readonly attributes: Attributes
  readonly events: readonly SpanEventView[]
  readonly links: readonly SpanLinkView[]
  readonly scope: { readonly name: string; readonly version: string | undefined }
  readonly resource: Attributes
  readonly droppedAttributesCount: number
}
