import type { Attributes } from '@opentelemetry/api'
import type { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { type LiveSpan, settledAttributes } from './live-span.ts'
import { markAttributes, type SpanMarks } from './marks.ts'
import type { ShownSpan } from './redact.ts'

/** The shape that the OTLP serializer reads. */
export type WireSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number]
export type Phase = 'start' | 'end'

/** Our own copy of a span, taken at one moment; the span itself is never touched. */
export interface SpanCopy {
  readonly traceId: string
  readonly spanId: string
  /** About how many bytes it keeps alive. */
  readonly bytes: number
  readonly wire: WireSpan
  /** The wire span's attributes, ours to complete before sending. */
  readonly attributes: Attributes
}

const BYTES_PER_SPAN = 400

/** What the copy says beside what the span says of itself. */
export interface CopyFacts {
  readonly phase: Phase
  readonly marks: SpanMarks | undefined
  /** What of the span may leave the process, found out when the copy is made. */
  readonly shown: () => ShownSpan
}

/**
 * A copy that is made when it is first needed: a span that nobody fetches costs nothing but its place in the ring, and one that has ended
 * does not change any more. A start copy has end time 0 and phase `start`, and says what the span holds when it is made.
 */
export class LateCopy implements SpanCopy {
  readonly bytes: number
  readonly #span: LiveSpan
  readonly #facts: CopyFacts
  #made: Pick<SpanCopy, 'wire' | 'attributes'> | undefined

  constructor(span: LiveSpan, facts: CopyFacts) {
    this.#span = span
    this.#facts = facts
    this.bytes = sizeOf(span.attributes) + BYTES_PER_SPAN
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  get spanId(): string {
    return this.#span.spanContext().spanId
  }

  get wire(): WireSpan {
    return this.make().wire
  }

  get attributes(): Attributes {
    return this.make().attributes
  }

  /** Makes it now, for what a span holds only now. */
  make(): Pick<SpanCopy, 'wire' | 'attributes'> {
    this.#made ??= copySpan(this.#span, this.#facts)
    return this.#made
  }
}

function copySpan(span: LiveSpan, { phase, marks, shown: show }: CopyFacts): Pick<SpanCopy, 'wire' | 'attributes'> {
  const shown = show()
  const context = span.spanContext()
  const attributes: Attributes = { ...shown.attributes, ...markAttributes(marks), 'graphmind.span.phase': phase }
  if (shown.hiddenKeys.length > 0) attributes['graphmind.redaction.keys'] = [...shown.hiddenKeys]
  const { name: scopeName, version, schemaUrl } = span.instrumentationScope
  const wire: WireSpan = {
    name: span.name,
    kind: span.kind,
    spanContext: () => context,
    ...(span.parentSpanContext === undefined ? {} : { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: phase === 'end' ? span.endTime : [0, 0],
    status: phase === 'end' ? shown.status : { code: 0 },
    attributes,
    links: [...span.links],
    events: shown.events.map(({ name, time, attributes, droppedAttributesCount }) => ({
      name,
      time,
      attributes: { ...attributes },
      droppedAttributesCount: droppedAttributesCount ?? 0,
    })),
    duration: [0, 0],
    ended: phase === 'end',
    resource: resourceOf(span),
    instrumentationScope: {
      name: scopeName,
      ...(version === undefined ? {} : { version }),
      ...(schemaUrl === undefined ? {} : { schemaUrl }),
    },
    droppedAttributesCount: span.droppedAttributesCount + shown.hiddenKeys.length,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  }
  return { wire, attributes }
}

const resources = new WeakMap<object, WireSpan['resource']>()

// The serializer groups spans by resource identity, so every span of one settled resource gets the same object.
function resourceOf(span: LiveSpan): WireSpan['resource'] {
  const { resource } = span
  const known = resources.get(resource)
  if (known !== undefined) return known
  const attributes = settledAttributes(resource)
  const copy: WireSpan['resource'] = {
    attributes,
    merge: () => copy,
    getRawAttributes: () => Object.entries(attributes),
    ...(resource.schemaUrl === undefined ? {} : { schemaUrl: resource.schemaUrl }),
  }
  if (resource.asyncAttributesPending !== true) resources.set(resource, copy)
  return copy
}

function sizeOf(attributes: Attributes): number {
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
