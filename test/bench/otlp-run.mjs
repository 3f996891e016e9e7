// A finished run of many calls as OTLP JSON, for benches and pictures: rounds of one model call and a few tools, now and then a failure.
import { randomBytes } from 'node:crypto'

const text = (key, value) => ({ key, value: { stringValue: value } })
const int = (key, value) => ({ key, value: { intValue: String(value) } })

/**
 * Spans of one trace with `calls` calls under one agent; `fan` puts that many like calls side by side in each tenth round, `pace` makes
 * all of it take as many times as long.
 */
export function manySpans(
  calls,
  {
    fan = 0,
    name = 'big-agent',
    pace = 1,
    startMs = Date.now() - calls * 30 * pace,
    model = 'gpt-big',
    tools = ['tool_0', 'tool_1', 'tool_2', 'tool_3'],
    failure = 'not found',
  } = {},
) {
  const traceId = randomBytes(16).toString('hex')
  const root = randomBytes(8).toString('hex')
  const spans = []
  let at = startMs
  const add = (attributes, spanName, lengthMs, failed = false) => {
    spans.push({
      traceId,
      spanId: randomBytes(8).toString('hex'),
      parentSpanId: root,
      name: spanName,
      kind: 1,
      startTimeUnixNano: `${Math.round(at * 1e6)}`,
      endTimeUnixNano: `${Math.round((at + lengthMs * pace) * 1e6)}`,
      attributes,
      status: failed ? { code: 2, message: failure } : {},
    })
  }
  for (let round = 0; spans.length < calls; round += 1) {
    const messages = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `Question ${round}` }] }])
    add(
      [
        text('gen_ai.operation.name', 'chat'),
        text('gen_ai.request.model', model),
        int('gen_ai.usage.input_tokens', 100 + round),
        int('gen_ai.usage.output_tokens', 20),
        text('gen_ai.input.messages', messages),
      ],
      `chat ${model}`,
      18,
    )
    at += 20 * pace
    const width = fan > 0 && round % 10 === 9 ? fan : 2
    for (let tool = 0; tool < width && spans.length < calls; tool += 1) {
      const toolName = width === fan ? 'search' : tools[(round + tool) % tools.length]
      add(
        [
          text('gen_ai.operation.name', 'execute_tool'),
          text('gen_ai.tool.name', toolName),
          text('gen_ai.tool.call.arguments', JSON.stringify({ q: round, tool })),
        ],
        `execute_tool ${toolName}`,
        8 + (tool % 5),
        (round + tool) % 97 === 96,
      )
      at += (width === fan ? 1 : 10) * pace
    }
  }
  spans.unshift({
    traceId,
    spanId: root,
    name: `invoke_agent ${name}`,
    kind: 1,
    startTimeUnixNano: `${Math.round(startMs * 1e6)}`,
    endTimeUnixNano: `${Math.round((at + 5) * 1e6)}`,
    attributes: [text('gen_ai.operation.name', 'invoke_agent'), text('gen_ai.agent.name', name)],
    status: {},
  })
  return { traceId, spans }
}

/** Sends spans to a collector in requests of 1000, as a service of this name. */
export async function postSpans(url, spans, service = 'bench') {
  for (let from = 0; from < spans.length; from += 1000) {
    const body = JSON.stringify({
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', service)] },
          scopeSpans: [{ scope: { name: service }, spans: spans.slice(from, from + 1000) }],
        },
      ],
    })
    const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    if (!answer.ok) throw new Error(`POST /v1/traces answered ${answer.status}: ${await answer.text()}`)
  }
}
