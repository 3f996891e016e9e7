import type { SpanView } from '../span-view.ts'

/** Test support: a finished root span with these attributes. */
export function spanWith(attributes: SpanView['attributes'], fields: Partial<SpanView> = {}): SpanView {
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    parentSpanId: undefined,
    parentIsRemote: false,
    name: 'work',
    kind: 1,
    startNanos: 1_767_225_600_000_000_000n,
    endNanos: 1_767_225_600_250_000_000n,
    status: { code: 'unset', message: undefined },
    attributes,
    events: [],
    links: [],
    scope: { name: 'app', version: undefined },
    resource: {},
    droppedAttributesCount: 0,
    ...fields,
  }
}
