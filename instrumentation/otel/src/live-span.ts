import type { Attributes, AttributeValue, SpanView } from '@graphmind-ai/mappings'
import type { Attributes as ApiAttributes, HrTime, Link, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api'

/** What we read of an SDK's span. Duck-typed, so that OTel JS 1.x to 3.x fit and no SDK is imported. */
export interface LiveSpan {
  readonly name: string
  readonly kind: SpanKind
  spanContext(): SpanContext
  readonly parentSpanContext?: SpanContext | undefined
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly ended: boolean
  readonly status: SpanStatus
  readonly attributes: ApiAttributes
  readonly links: readonly Link[]
  readonly events: readonly LiveEvent[]
  readonly resource: LiveResource
  readonly instrumentationScope: LiveScope
  readonly droppedAttributesCount: number
  readonly droppedEventsCount: number
  readonly droppedLinksCount: number
}

export interface LiveEvent {
  readonly name: string
  readonly time: HrTime
  readonly attributes?: ApiAttributes | undefined
  readonly droppedAttributesCount?: number | undefined
}

export interface LiveScope {
  readonly name: string
  readonly version?: string | undefined
  readonly schemaUrl?: string | undefined
}

export interface LiveResource {
  readonly attributes: ApiAttributes
  readonly asyncAttributesPending?: boolean | undefined
  getRawAttributes?(): readonly (readonly [string, unknown])[]
  readonly schemaUrl?: string | undefined
}

/** A span of OTel JS 1.x, as far as it differs. */
interface OldSpan extends Omit<LiveSpan, 'instrumentationScope' | 'parentSpanContext'> {
  readonly instrumentationLibrary: LiveScope
  readonly parentSpanId?: string | undefined
}

const NO_SPAN = '0'.repeat(16)
const oldSpans = new WeakMap<object, LiveSpan>()

/** The recording span of an SDK as we read it, always the same object for the same span; undefined when there is nothing to look at. */
export function liveSpanOf(span: unknown): LiveSpan | undefined {
  if (typeof span !== 'object' || span === null || !('attributes' in span && 'resource' in span && 'startTime' in span)) return undefined
  if ('instrumentationScope' in span) return span as LiveSpan
  if (!('instrumentationLibrary' in span)) return undefined
  const known = oldSpans.get(span) ?? modernize(span as OldSpan)
  oldSpans.set(span, known)
  return known
}

/** Reads through to the span, which goes on changing. A 1.x SDK does not say whether the parent is remote. */
function modernize(span: OldSpan): LiveSpan {
  const { traceId, traceFlags } = span.spanContext()
  const parent = span.parentSpanId === undefined ? undefined : { traceId, spanId: span.parentSpanId, traceFlags }
  return Object.create(span, { instrumentationScope: { value: span.instrumentationLibrary }, parentSpanContext: { value: parent } })
}

/** True when the span's parent is in another process, or when it has none: its end is the end of this process' part of the run. */
export function isLocalRoot(span: LiveSpan): boolean {
  return parentSpanId(span) === undefined || span.parentSpanContext?.isRemote === true
}

/** 16 hex digits, or undefined for a root. */
export function parentSpanId(span: LiveSpan): string | undefined {
  const id = span.parentSpanContext?.spanId
  return id === undefined || id === '' || id === NO_SPAN ? undefined : id
}

/** Looks at a live span through the mappings' eyes; the view reads what the span holds now. */
export function toSpanView(span: LiveSpan): SpanView {
  const { traceId, spanId } = span.spanContext()
  return {
    traceId,
    spanId,
    parentSpanId: parentSpanId(span),
    parentIsRemote: span.parentSpanContext?.isRemote === true,
    name: span.name,
    kind: span.kind + 1,
    startNanos: nanosOf(span.startTime),
    endNanos: span.ended ? nanosOf(span.endTime) : undefined,
    status: { code: STATUS[span.status.code] ?? 'unset', message: span.status.message },
    attributes: toAttributes(span.attributes),
    events: span.events.map((event) => ({
      name: event.name,
      timeNanos: nanosOf(event.time),
      attributes: toAttributes(event.attributes ?? {}),
    })),
    links: span.links.map((link) => ({
      traceId: link.context.traceId,
      spanId: link.context.spanId,
      attributes: toAttributes(link.attributes ?? {}),
    })),
    scope: { name: span.instrumentationScope.name, version: span.instrumentationScope.version },
    resource: resourceAttributes(span.resource),
    droppedAttributesCount: span.droppedAttributesCount,
  }
}

/** What is known of the resource now. Reading `attributes` while detectors still run makes the SDK log an error, so it is gone around. */
export function settledAttributes(resource: LiveResource): ApiAttributes {
  if (resource.asyncAttributesPending !== true || resource.getRawAttributes === undefined) return resource.attributes
  const settled: ApiAttributes = {}
  for (const [key, value] of resource.getRawAttributes()) {
    if (isPlainValue(value)) settled[key] ??= value
  }
  return settled
}

const resources = new WeakMap<LiveResource, Attributes>()

// Every span of a program has the same one.
function resourceAttributes(resource: LiveResource): Attributes {
  const known = resources.get(resource)
  if (known !== undefined) return known
  const attributes = toAttributes(settledAttributes(resource))
  if (resource.asyncAttributesPending !== true) resources.set(resource, attributes)
  return attributes
}

const STATUS = ['unset', 'ok', 'error'] as const

function nanosOf([seconds, nanos]: HrTime): bigint {
  return BigInt(Math.trunc(seconds)) * 1_000_000_000n + BigInt(Math.trunc(nanos))
}

function isPlainValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function toAttributes(attributes: Readonly<Record<string, unknown>>): Attributes {
  const result: Record<string, AttributeValue> = Object.create(null)
  for (const key of Object.keys(attributes)) {
    const value = attributes[key]
    if (value !== undefined) result[key] = toAttributeValue(value)
  }
  return result
}

function toAttributeValue(value: unknown): AttributeValue {
  if (isPlainValue(value) || typeof value === 'bigint' || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(toAttributeValue)
  return typeof value === 'object' && value !== null ? toAttributes(Object.fromEntries(Object.entries(value))) : null
}

const BYTES_PER_SPAN = 400

/** About how many bytes a span keeps alive. */
export function sizeOf({ attributes, events }: LiveSpan): number {
  let bytes = BYTES_PER_SPAN + sizeOfAttributes(attributes)
  for (let index = 0; index < events.length; index += 1) bytes += sizeOfAttributes(events[index]?.attributes ?? {})
  return bytes
}

function sizeOfAttributes(attributes: ApiAttributes): number {
  let bytes = 0
  for (const key in attributes) {
    const value = attributes[key]
    bytes += key.length + (typeof value === 'string' ? value.length : Array.isArray(value) ? sizeOfList(value) : 8)
  }
  return bytes
}

function sizeOfList(values: readonly unknown[]): number {
  let bytes = 0
  for (const value of values) bytes += typeof value === 'string' ? value.length : 8
  return bytes
}
