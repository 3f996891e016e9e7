import { type DecodedSpan, decodeTraces } from '../otlp/decode.ts'

export const TRACE = '0123456789abcdef0123456789abcdef'

export type SpanType = 'agent' | 'llm' | 'tool' | 'custom' | 'web'

/** A span in the words of a test. Times are milliseconds after an agreed start; without `end` it is open. */
export interface TestSpan {
  readonly id: number
  readonly parent?: number
  readonly type?: SpanType
  readonly name?: string
  readonly start?: number
  readonly end?: number
  readonly trace?: string
  readonly remote?: boolean
  readonly error?: string
  readonly service?: string
  readonly scope?: string
  /** A copy of our processor: at the start or at the end. */
  readonly phase?: 'start' | 'end'
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

export const BASE_MS = 1_767_225_600_000
export const spanId = (id: number) => id.toString(16).padStart(16, '0')

const KINDS: Record<SpanType, number> = { agent: 1, llm: 3, tool: 1, custom: 1, web: 3 }

/** The OTLP/JSON export request for these spans, one resource each. */
export function traceRequest(spans: readonly TestSpan[]): object {
  return {
    resourceSpans: spans.map((span) => ({
      resource: { attributes: attributes({ 'service.name': span.service ?? 'test-app', 'telemetry.sdk.name': 'opentelemetry' }) },
      scopeSpans: [{ scope: { name: span.scope ?? 'test' }, spans: [otlpSpan(span)] }],
    })),
  }
}

export function decodeSpans(spans: readonly TestSpan[]): readonly DecodedSpan[] {
  const decoded = decodeTraces(Buffer.from(JSON.stringify(traceRequest(spans))), 'json')
  if (!decoded.ok) throw new Error(decoded.problem.message)
  if (decoded.value.rejectedCount > 0) throw new Error(decoded.value.reasons.join())
  return decoded.value.spans
}

export function decodeSpan(span: TestSpan): DecodedSpan {
  const [decoded] = decodeSpans([span])
  if (decoded === undefined) throw new Error('nothing decoded')
  return decoded
}

function otlpSpan(span: TestSpan): object {
  const type = span.type ?? 'custom'
  const name = span.name ?? `${type}-${span.id}`
  return {
    traceId: span.trace ?? TRACE,
    spanId: spanId(span.id),
    ...(span.parent === undefined ? {} : { parentSpanId: spanId(span.parent) }),
    ...(span.remote === true ? { flags: 0x300 } : {}),
    name,
    kind: KINDS[type],
    startTimeUnixNano: nanos(span.start ?? 0),
    endTimeUnixNano: span.end === undefined ? '0' : nanos(span.end),
    attributes: attributes({ ...typeAttributes(type, name), ...phaseAttributes(span), ...span.attributes }),
    status: span.error === undefined ? {} : { code: 2, message: span.error },
  }
}

function typeAttributes(type: SpanType, name: string): Record<string, string | number> {
  switch (type) {
    case 'agent':
      return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name }
    case 'llm':
      return { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'example-model' }
    case 'tool':
      return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }
    case 'web':
      return { 'http.request.method': 'GET' }
    case 'custom':
      return {}
  }
}

function phaseAttributes({ phase }: TestSpan): Record<string, string> {
  return phase === undefined ? {} : { 'graphmind.span.phase': phase, 'graphmind.session': 's-1' }
}

function attributes(values: Readonly<Record<string, string | number | boolean>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string' ? { stringValue: value } : typeof value === 'boolean' ? { boolValue: value } : { intValue: String(value) },
  }))
}

function nanos(ms: number): string {
  return String(BigInt(BASE_MS + ms) * 1_000_000n)
}
