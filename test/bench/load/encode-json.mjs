const jsonValue = (v) => {
  if (typeof v === 'string') return { stringValue: v }
  if (typeof v === 'boolean') return { boolValue: v }
  if (typeof v === 'bigint') return { intValue: v.toString() }
  if (typeof v === 'number') return { doubleValue: v }
  return { arrayValue: { values: v.map(jsonValue) } }
}
const jsonAttrs = (a) => a.map(([key, v]) => ({ key, value: jsonValue(v) }))

export function encodeJson(groups) {
  return Buffer.from(
    JSON.stringify({
      resourceSpans: groups.map((g) => ({
        resource: { attributes: jsonAttrs(g.resource), droppedAttributesCount: 0 },
        scopeSpans: [
          {
            scope: g.scope,
            spans: g.spans.map((s) => ({
              traceId: s.traceId,
              spanId: s.spanId,
              ...(s.parentSpanId ? { parentSpanId: s.parentSpanId } : {}),
              name: s.name,
              kind: s.kind,
              startTimeUnixNano: s.start.toString(),
              ...(s.end ? { endTimeUnixNano: s.end.toString() } : {}),
              attributes: jsonAttrs(s.attributes),
              droppedAttributesCount: 0,
              events: s.events.map((e) => ({ timeUnixNano: e.time.toString(), name: e.name, attributes: jsonAttrs(e.attributes) })),
              droppedEventsCount: 0,
              links: [],
              droppedLinksCount: 0,
              status: s.status,
              flags: 1,
            })),
          },
        ],
      })),
    }),
  )
}
