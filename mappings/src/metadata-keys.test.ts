import { describe, expect, it } from 'vitest'
import { isMetadataKey } from './metadata-keys.ts'

describe('isMetadataKey', () => {
  it.each([
    'ai.operationId',
    'ai.toolCall.name',
    'ai.usage.inputTokens',
    'ai.telemetry.metadata.sessionId',
    'gen_ai.request.model',
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.tool.call.id',
    'openinference.span.kind',
    'mcp.method.name',
    'graphmind.session',
    'error.type',
  ])('lets %s pass', (key) => {
    expect(isMetadataKey(key)).toBe(true)
  })

  it.each([
    'ai.prompt',
    'ai.prompt.messages',
    'ai.prompt.tools',
    'ai.response.text',
    'ai.toolCall.args',
    'ai.toolCall.result',
    'ai.telemetry.metadata.note',
    'ai.request.headers.authorization',
    'gen_ai.input.messages',
    'gen_ai.output.messages',
    'gen_ai.system_instructions',
    'gen_ai.tool.call.arguments',
    'gen_ai.tool.call.result',
    'gen_ai.prompt.0.content',
    'input.value',
    'llm.input_messages.0.message.content',
    'traceloop.entity.input',
    'langfuse.observation.input',
    'genkit:input',
    'exception.message',
    'exception.stacktrace',
    'url.full',
    'db.query.text',
    'user_prompt',
    'full_command',
    'anything.else',
    '',
  ])('hides %s', (key) => {
    expect(isMetadataKey(key)).toBe(false)
  })
})
