import { randomBytes } from 'node:crypto'

type Attribute = { readonly key: string; readonly value: { readonly stringValue: string } | { readonly doubleValue: number } }

export interface Call {
  readonly kind: 'agent' | 'llm' | 'tool'
  readonly name: string
  /** Ms since the trace began. */
  readonly from: number
  /** `running` has begun and not ended, as a span processor tells it. */
  readonly to: number | 'running'
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: string
  /** Tokens of a model call. */
  readonly usage?: { readonly input: number; readonly output: number; readonly costUsd?: number }
  readonly calls?: readonly Call[]
  /** A parent that is never sent. */
  readonly orphan?: true
}

const number = (key: string, value: number): Attribute => ({ key, value: { doubleValue: value } })
const text = (key: string, value: string): Attribute => ({ key, value: { stringValue: value } })

function attributesOf({ kind, name, input, output, error, usage }: Call): readonly Attribute[] {
  const failed = error === undefined ? [] : [text('error.type', 'ToolError')]
  if (kind === 'agent') return [text('gen_ai.operation.name', 'invoke_agent'), text('gen_ai.agent.name', name)]
  if (kind === 'llm') {
    return [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.request.model', name),
      ...(usage === undefined
        ? []
        : [number('gen_ai.usage.input_tokens', usage.input), number('gen_ai.usage.output_tokens', usage.output)]),
      ...(usage?.costUsd === undefined ? [] : [number('gen_ai.usage.cost', usage.costUsd)]),
      ...(input === undefined ? [] : [text('gen_ai.input.messages', JSON.stringify(input))]),
      ...(output === undefined ? [] : [text('gen_ai.output.messages', JSON.stringify(output))]),
    ]
  }
  return [
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.name', name),
    ...(input === undefined ? [] : [text('gen_ai.tool.call.arguments', JSON.stringify(input))]),
    ...(output === undefined ? [] : [text('gen_ai.tool.call.result', JSON.stringify(output))]),
    ...failed,
  ]
}

/** Calls as the OTLP JSON of one trace that began a minute ago, of a service named like the first, and its id. */
export function traceOf(calls: readonly Call[]): { readonly traceId: string; readonly body: string } {
  const traceId = randomBytes(16).toString('hex')
  const began = Date.now() - 60_000
  const spans: object[] = []
  const add = (call: Call, parent: string | undefined) => {
    const spanId = randomBytes(8).toString('hex')
    const parentSpanId = call.orphan === true ? randomBytes(8).toString('hex') : parent
    spans.push({
      traceId,
      spanId,
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name: call.name,
      kind: 1,
      startTimeUnixNano: `${began + call.from}000000`,
      endTimeUnixNano: call.to === 'running' ? '0' : `${began + call.to}000000`,
      attributes: attributesOf(call),
      status: call.error === undefined ? {} : { code: 2, message: call.error },
    })
    for (const inner of call.calls ?? []) add(inner, spanId)
  }
  for (const call of calls) add(call, undefined)
  const resource = { attributes: [text('service.name', calls[0]?.name ?? '')] }
  return { traceId, body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'agents' }, spans }] }] }) }
}

/** Sends the calls to a collector as one finished trace; gives its run id. */
export async function sendTrace(url: string, calls: readonly Call[]): Promise<string> {
  const { traceId, body } = traceOf(calls)
  const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!answer.ok) throw new Error(`POST /v1/traces answered ${answer.status}: ${await answer.text()}`)
  return traceId
}
