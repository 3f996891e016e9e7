import protobuf from 'protobufjs/light.js'

/** Field number, type and whether it repeats, for the fields we read (opentelemetry-proto 1.x, trace/v1 and common/v1). */
const field = (id: number, type: string, repeated = false) => ({ id, type, ...(repeated ? { rule: 'repeated' } : {}) })
const fields = (entries: Record<string, ReturnType<typeof field>>) => ({ fields: entries })

// Spans are read as bytes first, so that one broken span does not take its batch with it.
const root = protobuf.Root.fromJSON({
  nested: {
    TraceRequest: fields({ resourceSpans: field(1, 'ResourceSpans', true) }),
    ResourceSpans: fields({
      resource: field(1, 'Resource'),
      scopeSpans: field(2, 'ScopeSpans', true),
      schemaUrl: field(3, 'string'),
      instrumentationLibrarySpans: field(1000, 'ScopeSpans', true),
    }),
    ScopeSpans: fields({ scope: field(1, 'Scope'), spans: field(2, 'bytes', true), schemaUrl: field(3, 'string') }),
    Resource: fields({ attributes: field(1, 'KeyValue', true), droppedAttributesCount: field(2, 'uint32') }),
    Scope: fields({
      name: field(1, 'string'),
      version: field(2, 'string'),
      attributes: field(3, 'KeyValue', true),
      droppedAttributesCount: field(4, 'uint32'),
    }),
    Span: fields({
      traceId: field(1, 'bytes'),
      spanId: field(2, 'bytes'),
      traceState: field(3, 'string'),
      parentSpanId: field(4, 'bytes'),
      name: field(5, 'string'),
      kind: field(6, 'int32'),
      startTimeUnixNano: field(7, 'fixed64'),
      endTimeUnixNano: field(8, 'fixed64'),
      attributes: field(9, 'KeyValue', true),
      droppedAttributesCount: field(10, 'uint32'),
      events: field(11, 'Event', true),
      droppedEventsCount: field(12, 'uint32'),
      links: field(13, 'Link', true),
      droppedLinksCount: field(14, 'uint32'),
      status: field(15, 'Status'),
      flags: field(16, 'fixed32'),
    }),
    Event: fields({
      timeUnixNano: field(1, 'fixed64'),
      name: field(2, 'string'),
      attributes: field(3, 'KeyValue', true),
      droppedAttributesCount: field(4, 'uint32'),
    }),
    Link: fields({
      traceId: field(1, 'bytes'),
      spanId: field(2, 'bytes'),
      traceState: field(3, 'string'),
      attributes: field(4, 'KeyValue', true),
      droppedAttributesCount: field(5, 'uint32'),
      flags: field(6, 'fixed32'),
    }),
    Status: fields({ message: field(2, 'string'), code: field(3, 'int32') }),
    KeyValue: fields({ key: field(1, 'string'), value: field(2, 'AnyValue') }),
    AnyValue: {
      oneofs: {
        value: { oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'] },
      },
      ...fields({
        stringValue: field(1, 'string'),
        boolValue: field(2, 'bool'),
        intValue: field(3, 'int64'),
        doubleValue: field(4, 'double'),
        arrayValue: field(5, 'ArrayValue'),
        kvlistValue: field(6, 'KeyValueList'),
        bytesValue: field(7, 'bytes'),
      }),
    },
    ArrayValue: fields({ values: field(1, 'AnyValue', true) }),
    KeyValueList: fields({ values: field(1, 'KeyValue', true) }),
    LogsRequest: fields({ resourceLogs: field(1, 'ResourceLogs', true) }),
    ResourceLogs: fields({ resource: field(1, 'Resource'), scopeLogs: field(2, 'ScopeLogs', true), schemaUrl: field(3, 'string') }),
    ScopeLogs: fields({ scope: field(1, 'Scope'), logRecords: field(2, 'bytes', true), schemaUrl: field(3, 'string') }),
    LogRecord: fields({
      timeUnixNano: field(1, 'fixed64'),
      severityNumber: field(2, 'int32'),
      severityText: field(3, 'string'),
      body: field(5, 'AnyValue'),
      attributes: field(6, 'KeyValue', true),
      droppedAttributesCount: field(7, 'uint32'),
      flags: field(8, 'fixed32'),
      traceId: field(9, 'bytes'),
      spanId: field(10, 'bytes'),
      observedTimeUnixNano: field(11, 'fixed64'),
      eventName: field(12, 'string'),
    }),
    ExportResponse: fields({ partialSuccess: field(1, 'PartialSuccess') }),
    PartialSuccess: fields({ rejected: field(1, 'int64'), errorMessage: field(2, 'string') }),
    RpcStatus: fields({ code: field(1, 'int32'), message: field(2, 'string') }),
  },
})

export const TraceRequest = root.lookupType('TraceRequest')
export const Span = root.lookupType('Span')
export const LogsRequest = root.lookupType('LogsRequest')
export const LogRecord = root.lookupType('LogRecord')
export const ExportResponse = root.lookupType('ExportResponse')
export const RpcStatus = root.lookupType('RpcStatus')
