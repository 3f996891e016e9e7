import { createHash } from 'node:crypto'

const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
const int = (key: string, value: number) => ({ key, value: { intValue: String(value) } })

/** One run of an agent with a model call and a tool, or a plain web request. */
export interface SampleRun {
  readonly name: string
  /** Epoch ms. */
  readonly startMs: number
  readonly lengthMs?: number
  readonly app?: string
  readonly model?: string
  readonly tokens?: number
  readonly costUsd?: number
  readonly session?: string
  /** The tool's failure. */
  readonly error?: string
  /** What the agent was asked. */
  readonly question?: string
  readonly tool?: string
  /** What the tool found. */
  readonly found?: string
  /** Its agent has not ended. */
  readonly isOpen?: boolean
  readonly isWeb?: boolean
}

const idOf = (of: string, digits: number) => createHash('sha256').update(of).digest('hex').slice(0, digits)

/** The id under which a run is shown. */
export const sampleRunId = ({ name, startMs }: SampleRun): string => idOf(`${name} ${startMs}`, 32)

function spansOf(run: SampleRun) {
  const {
    name,
    startMs,
    lengthMs = 2000,
    model = 'gpt-4o-mini',
    tokens = 1200,
    question = 'flights to Paris Orly',
    tool: toolName = 'find_flights',
    found = `2 of ${question}`,
  } = run
  const traceId = sampleRunId(run)
  const root = idOf(`${traceId} root`, 16)
  const span = (spanName: string, from: number, to: number, attributes: readonly object[], error?: string) => ({
    traceId,
    spanId: idOf(`${traceId} ${spanName}`, 16),
    parentSpanId: root,
    name: spanName,
    kind: 1,
    startTimeUnixNano: `${Math.round((startMs + from) * 1e6)}`,
    endTimeUnixNano: `${Math.round((startMs + to) * 1e6)}`,
    attributes,
    status: error === undefined ? {} : { code: 2, message: error },
  })
  if (run.isWeb === true) {
    const web = [text('http.request.method', 'GET'), text('url.path', '/')]
    return [{ ...span(name, 0, lengthMs, web), spanId: root, parentSpanId: '', kind: 2 }]
  }
  const messages = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }])
  const chat = span(`chat ${model}`, 5, lengthMs / 2, [
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.request.model', model),
    int('gen_ai.usage.input_tokens', tokens),
    int('gen_ai.usage.output_tokens', Math.round(tokens / 8)),
    text('gen_ai.input.messages', messages),
    ...(run.costUsd === undefined ? [] : [{ key: 'gen_ai.usage.cost', value: { doubleValue: run.costUsd } }]),
  ])
  const tool = span(
    `execute_tool ${toolName}`,
    lengthMs / 2,
    lengthMs - 5,
    [
      text('gen_ai.operation.name', 'execute_tool'),
      text('gen_ai.tool.name', toolName),
      text('gen_ai.tool.call.arguments', JSON.stringify({ q: question })),
      ...(run.error === undefined ? [text('gen_ai.tool.call.result', JSON.stringify({ found }))] : []),
    ],
    run.error,
  )
  const agent = span(`invoke_agent ${name}`, 0, lengthMs, [
    text('gen_ai.operation.name', 'invoke_agent'),
    text('gen_ai.agent.name', name),
    ...(run.session === undefined ? [] : [text('gen_ai.conversation.id', run.session)]),
  ])
  return [...(run.isOpen === true ? [] : [{ ...agent, spanId: root, parentSpanId: '' }]), chat, tool]
}

/** Sends the runs to a collector as an exporter would, a few hundred a request. */
export async function sendSampleRuns(url: string, runs: readonly SampleRun[]): Promise<void> {
  for (let from = 0; from < runs.length; from += 300) {
    const resourceSpans = runs.slice(from, from + 300).map((run) => ({
      resource: { attributes: [text('service.name', run.app ?? run.name)] },
      scopeSpans: [{ scope: { name: 'sample' }, spans: spansOf(run) }],
    }))
    const answer = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans }),
    })
    if (!answer.ok) throw new Error(`POST /v1/traces answered ${answer.status}: ${await answer.text()}`)
  }
}
