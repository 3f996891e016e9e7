import { int, json } from './values.mjs'

/** OpenInference: openinference.span.kind, llm.*, input.value … */
export function toOpenInference(run, s) {
  const a = [['session.id', run.session]]
  if (s.kind === 'agent') {
    a.push(
      ['openinference.span.kind', 'AGENT'],
      ['agent.name', s.name],
      ['input.value', run.firstUser],
      ['input.mime_type', 'text/plain'],
      ['output.value', `${s.name} done`],
    )
    return { name: s.name, kind: 1, attributes: a }
  }
  if (s.kind === 'llm') {
    a.push(
      ['openinference.span.kind', 'LLM'],
      ['llm.model_name', s.model],
      ['llm.provider', s.provider],
      ['llm.system', s.provider],
      ['llm.invocation_parameters', json({ temperature: 0.2, max_tokens: 1024 })],
      ['llm.token_count.prompt', int(s.inputTokens)],
      ['llm.token_count.completion', int(s.outputTokens)],
      ['llm.token_count.total', int(s.inputTokens + s.outputTokens)],
      ['llm.token_count.prompt_details.cache_read', int(s.cachedTokens)],
      ['input.value', json({ messages: s.input.map((m) => ({ role: m.role, content: m.text })) })],
      ['input.mime_type', 'application/json'],
      ['output.value', s.output || json(s.calls)],
      ['output.mime_type', s.output ? 'text/plain' : 'application/json'],
    )
    s.input.forEach((m, i) => {
      a.push([`llm.input_messages.${i}.message.role`, m.role])
      if (m.text) a.push([`llm.input_messages.${i}.message.content`, m.text])
    })
    a.push(['llm.output_messages.0.message.role', 'assistant'])
    if (s.output) a.push(['llm.output_messages.0.message.content', s.output])
    for (const [index, call] of s.calls.entries()) {
      const key = `llm.output_messages.0.message.tool_calls.${index}.tool_call`
      a.push([`${key}.id`, call.id], [`${key}.function.name`, call.tool], [`${key}.function.arguments`, json(call.args)])
    }
    return { name: 'ChatCompletion', kind: 1, attributes: a }
  }
  a.push(
    ['openinference.span.kind', 'TOOL'],
    ['tool.name', s.tool],
    ['tool.parameters', json(s.args)],
    ['input.value', json(s.args)],
    ['input.mime_type', 'application/json'],
  )
  if (!s.failed) a.push(['output.value', json(s.result)], ['output.mime_type', 'application/json'])
  return { name: s.tool, kind: 1, attributes: a }
}
