/** OTLP/JSON as we keep and give it back: lower-case hex ids, enum numbers, 64-bit numbers as decimal strings, bytes as base64. */
export interface OtlpAnyValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string
  /** `NaN` and the infinities as words, as proto3 JSON has them. */
  readonly doubleValue?: number | string
  readonly arrayValue?: { readonly values: readonly OtlpAnyValue[] }
  readonly kvlistValue?: { readonly values: readonly OtlpKeyValue[] }
  readonly bytesValue?: string
}

export interface OtlpKeyValue {
  readonly key: string
  readonly value: OtlpAnyValue
}

export interface OtlpEvent {
  readonly timeUnixNano: string
  readonly name: string
  readonly attributes: readonly OtlpKeyValue[]
  readonly droppedAttributesCount?: number
}

export interface OtlpLink {
  readonly traceId: string
  readonly spanId: string
  readonly traceState?: string
  readonly attributes: readonly OtlpKeyValue[]
  readonly droppedAttributesCount?: number
  readonly flags?: number
}

export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly traceState?: string
  readonly parentSpanId?: string
  readonly flags?: number
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpKeyValue[]
  readonly droppedAttributesCount?: number
  readonly events?: readonly OtlpEvent[]
  readonly droppedEventsCount?: number
  readonly links?: readonly OtlpLink[]
  readonly droppedLinksCount?: number
  readonly status: { readonly code?: number; readonly message?: string }
}

export interface OtlpLogRecord {
  /** When it happened, else when it was observed. */
  readonly timeUnixNano: string
  readonly observedTimeUnixNano?: string
  readonly severityNumber?: number
  readonly severityText?: string
  readonly eventName?: string
  readonly body?: OtlpAnyValue
  readonly attributes: readonly OtlpKeyValue[]
  readonly droppedAttributesCount?: number
  readonly flags?: number
  readonly traceId?: string
  readonly spanId?: string
}

export interface OtlpResource {
  readonly attributes: readonly OtlpKeyValue[]
  readonly droppedAttributesCount?: number
  readonly schemaUrl?: string
}

export interface OtlpScope {
  readonly name: string
  readonly version?: string
  readonly attributes?: readonly OtlpKeyValue[]
  readonly droppedAttributesCount?: number
  readonly schemaUrl?: string
}
