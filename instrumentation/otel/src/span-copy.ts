import type { Attributes } from '@opentelemetry/api'
import type { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { type LiveSpan, settledAttributes } from './live-span.ts'
import { markAttributes, type SpanMarks } from './marks.ts'
import type { ShownSpan } from './redact.ts'

/** The shape that the OTLP serializer reads. */
export type WireSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number]
export type Phase = 'start' | 'end'

/** What the copy says beside what the span says of itself. */
export interface CopyFacts {
  readonly phase: Phase
  readonly marks: SpanMarks | undefined
  /** What of the span may leave the process. */
  readonly shown: ShownSpan
  /** The sender's id. */
  readonly session: string
}

/** Our own copy of a span; the span itself is never touched. A start copy has end time 0 and phase `start`. */
export function copySpan(span: LiveSpan, { phase, marks, shown, session }: CopyFacts): WireSpan {
  const context = span.spanContext()
  const own = { 'graphmind.span.phase': phase, 'graphmind.session': session }
  const attributes: Attributes = { ...shown.attributes, ...markAttributes(marks), ...own }
  if (shown.hiddenKeys.length > 0) attributes['graphmind.redaction.keys'] = [...shown.hiddenKeys]
  const { name: scopeName, version, schemaUrl } = span.instrumentationScope
  return {
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
