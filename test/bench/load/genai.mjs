import { int, json } from './values.mjs'

export function genaiMessages(list) {
  return json(
    list.map((m) =>
      m.role === 'tool'
        ? { role: 'tool', parts: [{ type: 'tool_call_response', id: m.callId, response: m.text }] }
        : {
            role: m.role,
            parts: [
              ...(m.text ? [{ type: 'text', content: m.text }] : []),
              ...(m.calls || []).map((c) => ({ type: 'tool_call', id: c.id, name: c.tool, arguments: c.args })),
            ],
          },
    ),
  )
}

/** OTel GenAI semantic conventions: gen_ai.*, messages as JSON text. */
export function toGenai(run, s) {
  const a = [['gen_ai.conversation.id', run.session]]
  let name
  let kind = 1
  if (s.kind === 'agent') {
    name = `invoke_agent ${s.name}`
    a.push(
      ['gen_ai.operation.name', 'invoke_agent'],
      ['gen_ai.agent.name', s.name],
      ['gen_ai.agent.id', `agent-${s.name}`],
      ['gen_ai.provider.name', run.provider],
    )
  } else if (s.kind === 'llm') {
    name = `chat ${s.model}`
    kind = 3
    a.push(
      ['gen_ai.operation.name', 'chat'],
      ['gen_ai.provider.name', s.provider],
      ['gen_ai.request.model', s.model],
      ['gen_ai.response.model', s.responseModel],
      ['gen_ai.response.id', s.responseId],
      ['gen_ai.request.temperature', 0.2],
      ['gen_ai.request.max_tokens', 1024n],
      ['gen_ai.response.finish_reasons', [s.calls.length ? 'tool_call' : 'stop']],
      ['gen_ai.usage.input_tokens', int(s.inputTokens)],
      ['gen_ai.usage.output_tokens', int(s.outputTokens)],
      ['gen_ai.usage.cache_read.input_tokens', int(s.cachedTokens)],
      ['gen_ai.system_instructions', json([{ type: 'text', content: s.system }])],
      ['gen_ai.input.messages', genaiMessages(s.input)],
      [
        'gen_ai.output.messages',
        json([
          {
            role: 'assistant',
            finish_reason: s.calls.length ? 'tool_call' : 'stop',
            parts: [
              ...(s.output ? [{ type: 'text', content: s.output }] : []),
              ...s.calls.map((c) => ({ type: 'tool_call', id: c.id, name: c.tool, arguments: c.args })),
            ],
          },
        ]),
      ],
      ['server.address', 'api.example.test'],
      ['server.port', 443n],
    )
  } else {
    name = `execute_tool ${s.tool}`
    a.push(
      ['gen_ai.operation.name', 'execute_tool'],
      ['gen_ai.tool.name', s.tool],
      ['gen_ai.tool.call.id', s.callId],
      ['gen_ai.tool.type', 'function'],
      ['gen_ai.tool.call.arguments', json(s.args)],
    )
    if (s.failed) a.push(['error.type', 'TimeoutError'])
    else a.push(['gen_ai.tool.call.result', json(s.result)])
  }
  return { name, kind, attributes: a }
}
