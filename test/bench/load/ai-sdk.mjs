import { genaiMessages, toGenai } from './genai.mjs'
import { int, json } from './values.mjs'

function aiMessages(list, system) {
  const out = system ? [{ role: 'system', content: system }] : []
  for (const m of list) {
    if (m.role === 'tool')
      out.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId: m.callId, output: { type: 'text', value: m.text } }] })
    else
      out.push({
        role: m.role,
        content: [
          ...(m.text ? [{ type: 'text', text: m.text }] : []),
          ...(m.calls || []).map((c) => ({ type: 'tool-call', toolCallId: c.id, toolName: c.tool, input: c.args })),
        ],
      })
  }
  return json(out)
}

/** Vercel AI SDK 5 and 6: ai.* and the gen_ai.* it also writes. */
export function toAiSdk(run, s) {
  const common = [
    ['ai.telemetry.functionId', 'bench.run'],
    ['ai.telemetry.metadata.sessionId', run.session],
    ['ai.model.id', run.model],
    ['ai.model.provider', `${run.provider}.chat`],
    ['ai.settings.maxRetries', 2n],
  ]
  if (s.kind === 'agent') {
    return {
      name: 'ai.generateText',
      kind: 1,
      attributes: [
        ['operation.name', 'ai.generateText bench.run'],
        ['ai.operationId', 'ai.generateText'],
        ['resource.name', 'bench.run'],
        ...common,
        ['ai.prompt', json({ system: run.system, prompt: run.firstUser })],
        ['ai.response.finishReason', 'stop'],
        ['ai.response.text', `${s.name} done`],
      ],
    }
  }
  if (s.kind === 'llm') {
    return {
      name: 'ai.generateText.doGenerate',
      kind: 1,
      attributes: [
        ['operation.name', 'ai.generateText.doGenerate bench.run'],
        ['ai.operationId', 'ai.generateText.doGenerate'],
        ...common,
        ['ai.prompt.messages', aiMessages(s.input, s.system)],
        ['ai.prompt.toolChoice', json({ type: 'auto' })],
        ['ai.response.finishReason', s.calls.length ? 'tool-calls' : 'stop'],
        ['ai.response.text', s.output],
        ...(s.calls.length
          ? [['ai.response.toolCalls', json(s.calls.map((c) => ({ toolCallId: c.id, toolName: c.tool, input: json(c.args) })))]]
          : []),
        ['ai.response.id', s.responseId],
        ['ai.response.model', s.responseModel],
        ['ai.response.timestamp', new Date(Number(s.t1 / 1000000n)).toISOString()],
        ['ai.response.msToFirstChunk', s.ttft + 0.5],
        ['ai.usage.promptTokens', int(s.inputTokens)],
        ['ai.usage.completionTokens', int(s.outputTokens)],
        ['gen_ai.system', s.provider],
        ['gen_ai.request.model', s.model],
        ['gen_ai.request.temperature', 0.2],
        ['gen_ai.response.finish_reasons', [s.calls.length ? 'tool-calls' : 'stop']],
        ['gen_ai.response.id', s.responseId],
        ['gen_ai.response.model', s.responseModel],
        ['gen_ai.usage.input_tokens', int(s.inputTokens)],
        ['gen_ai.usage.output_tokens', int(s.outputTokens)],
      ],
    }
  }
  return {
    name: 'ai.toolCall',
    kind: 1,
    attributes: [
      ['operation.name', 'ai.toolCall bench.run'],
      ['ai.operationId', 'ai.toolCall'],
      ['ai.telemetry.functionId', 'bench.run'],
      ['ai.toolCall.name', s.tool],
      ['ai.toolCall.id', s.callId],
      ['ai.toolCall.args', json(s.args)],
      ...(s.failed ? [] : [['ai.toolCall.result', json(s.result)]]),
    ],
  }
}

/** AI SDK 7: gen_ai.* under a span for each step. */
export function toAiSdk7(run, s) {
  if (s.kind === 'step') {
    return {
      name: `step ${s.number}`,
      kind: 1,
      attributes: [
        ['gen_ai.operation.name', 'agent_step'],
        ['ai.telemetry.functionId', 'bench.run'],
      ],
    }
  }
  const m = toGenai(run, s)
  if (s.kind === 'agent') {
    m.name = `invoke_agent ${s.name}`
    m.attributes.push(
      ['gen_ai.request.model', run.model],
      ['gen_ai.input.messages', genaiMessages([{ role: 'user', text: run.firstUser }])],
    )
  }
  m.kind = s.kind === 'llm' ? 3 : 1
  return m
}
