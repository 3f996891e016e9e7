import { describe, expect, it } from 'vitest'
import { readChat, resultsById, withoutToldResults } from './chat.ts'
import { earlierMessages } from './earlier-messages.ts'

describe('readChat', () => {
  it('reads AI SDK messages with tool calls and wrapped results', () => {
    const messages = readChat(
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 'x' } }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: { type: 'json', value: { hits: 1 } } }],
        },
      ],
      'user',
    )
    expect(messages?.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(messages?.[2]?.parts).toEqual([{ type: 'call', id: 'c1', name: 'search', input: { q: 'x' } }])
    expect(resultsById(messages ?? []).get('c1')).toMatchObject({ output: { hits: 1 }, failed: false })
    expect(withoutToldResults(messages ?? []).map((message) => message.role)).toEqual(['system', 'user', 'assistant'])
    expect(withoutToldResults((messages ?? []).slice(3))).toHaveLength(1)
  })

  it('reads OpenTelemetry GenAI messages', () => {
    const messages = readChat(
      [
        {
          role: 'assistant',
          parts: [
            { type: 'text', content: 'Looking.' },
            { type: 'tool_call', id: 'c1', name: 'search', arguments: '{"q":"x"}' },
          ],
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'none' }] },
      ],
      'assistant',
    )
    expect(messages?.[0]?.parts).toEqual([
      { type: 'text', text: 'Looking.' },
      { type: 'call', id: 'c1', name: 'search', input: { q: 'x' } },
    ])
    expect(messages?.[1]?.parts[0]).toMatchObject({ type: 'result', id: 'c1', output: 'none' })
  })

  it('reads OpenAI messages, a plain prompt with a system text, and a finished result', () => {
    expect(
      readChat(
        {
          choices: [{ message: { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] } }],
        },
        'assistant',
      ),
    ).toEqual([{ role: 'assistant', parts: [{ type: 'call', id: 'c', name: 'f', input: {} }] }])
    expect(readChat({ system: 'Be brief.', prompt: 'Hi' }, 'user')?.map((message) => message.role)).toEqual(['system', 'user'])
    expect(readChat({ text: 'Done', toolCalls: [] }, 'assistant')).toEqual([{ role: 'assistant', parts: [{ type: 'text', text: 'Done' }] }])
  })

  it.each([undefined, null, '', 42, { foo: 1 }, [], [1, 2]])('finds no messages in %j', (value) => {
    expect(readChat(value, 'user')).toBeUndefined()
  })
})

it('counts the messages that the call before had already', () => {
  const one = readChat([{ role: 'user', content: 'a' }], 'user')
  const two = readChat(
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
    'user',
  )
  expect(earlierMessages(one, two ?? [])).toBe(1)
  expect(earlierMessages(undefined, two ?? [])).toBe(0)
})
