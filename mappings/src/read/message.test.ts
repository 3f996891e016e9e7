import { describe, expect, it } from 'vitest'
import { outputOfMessages } from './llm-output.ts'
import { messagePartsOf, messagesOf } from './message.ts'

const asked = { type: 'tool-call', toolCallId: 'c1', toolName: 'berths', input: { port: 'Tarn' } }
const answered = { type: 'tool-result', toolCallId: 'c1', output: { free: 4 } }

describe('messagesOf', () => {
  it.each([
    [
      'semconv parts',
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'berths', arguments: { port: 'Tarn' } }] },
      [asked],
    ],
    [
      'semconv parts with text arguments',
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'berths', arguments: '{"port":"Tarn"}' }] },
      [asked],
    ],
    [
      'AI SDK 4',
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'berths', args: { port: 'Tarn' } }] },
      [asked],
    ],
    [
      'AI SDK 5',
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'berths', input: { port: 'Tarn' } }] },
      [asked],
    ],
    [
      'OpenAI',
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'berths', arguments: '{"port":"Tarn"}' } }],
      },
      [asked],
    ],
    ['OpenAI Responses', { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'berths', arguments: '{"port":"Tarn"}' }, [asked]],
    ['Anthropic', { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'berths', input: { port: 'Tarn' } }] }, [asked]],
    ['Bedrock', { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'berths', input: { port: 'Tarn' } } }] }, [asked]],
    ['Strands', { role: 'assistant', content: [{ type: 'toolUse', toolUseId: 'c1', name: 'berths', input: { port: 'Tarn' } }] }, [asked]],
    ['Genkit', { role: 'model', content: [{ toolRequest: { ref: 'c1', name: 'berths', input: { port: 'Tarn' } } }] }, [asked]],
  ])('reads a tool request in the words of %s', (_vendor, message, content) => {
    expect(messagesOf([message])).toEqual([{ role: 'assistant', content }])
  })

  it.each([
    ['semconv', { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { free: 4 } }] }],
    ['older semconv', { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', result: '{"free":4}' }] }],
    ['AI SDK 5', { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', output: { type: 'json', value: { free: 4 } } }] }],
    ['OpenAI', { role: 'tool', tool_call_id: 'c1', content: '{"free":4}' }],
    ['OpenAI Responses', { type: 'function_call_output', call_id: 'c1', output: '{"free":4}' }],
    ['Bedrock', { role: 'tool', content: [{ toolResult: { toolUseId: 'c1', status: 'success', content: { free: 4 } } }] }],
  ])('reads a tool result in the words of %s', (_vendor, message) => {
    expect(messagesOf([message])).toEqual([{ role: 'tool', content: [answered] }])
  })

  it.each([
    ['AI SDK', { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', output: { type: 'error-text', value: 'closed' } }] }],
    ['Anthropic', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: true, content: 'closed' }] }],
    ['Bedrock', { role: 'user', content: [{ toolResult: { toolUseId: 'c1', status: 'error', content: 'closed' } }] }],
  ])('marks a failed result in the words of %s', (_vendor, message) => {
    expect(messagesOf([message])?.[0]?.content).toEqual([{ type: 'tool-result', toolCallId: 'c1', output: 'closed', isError: true }])
  })

  it('keeps plain text plain, and tells reasoning apart', () => {
    expect(messagesOf([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }])).toEqual([{ role: 'user', content: 'Hi' }])
    expect(messagesOf([{ role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, 'Yes.'] }])).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Yes.' },
        ],
      },
    ])
  })

  it('keeps parts it does not know as they were sent', () => {
    const part = { type: 'video_ref', uri: 'gs://x' }
    expect(messagesOf([{ role: 'user', content: [part] }])).toEqual([{ role: 'user', content: [part] }])
  })

  it('says nothing about a list that holds anything but messages', () => {
    expect(messagesOf([{ role: 'user', content: 'x' }, 7])).toBeUndefined()
    expect(messagesOf('just text')).toBeUndefined()
    expect(messagesOf([])).toBeUndefined()
  })
})

describe('outputOfMessages', () => {
  it('keeps argument text that is not JSON beside a null input', () => {
    const messages = messagePartsOf([
      { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: { name: 'berths', arguments: '{port' } }] },
    ])
    expect(outputOfMessages(messages ?? [])).toEqual({ toolCalls: [{ id: 'c1', name: 'berths', input: null, inputText: '{port' }] })
  })
})
