import { expect, it } from 'vitest'
import { mapSpan } from './registry.ts'
import { readingOf } from './span-reading.ts'
import { spanWith } from './testing/spans.ts'

const chat = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-5',
  'gen_ai.usage.input_tokens': 12,
  'gen_ai.usage.output_tokens': 3,
  'my.team': 'billing',
}

it('tells who speaks for a span, and what of it nobody looked at', () => {
  const span = spanWith(chat)
  expect(readingOf(span)).toEqual({ dialect: mapSpan(span).dialect, unread: ['my.team'] })
})

it('takes what was flattened into many keys for looked at, and only that', () => {
  const { dialect, unread } = readingOf(
    spanWith({
      'openinference.span.kind': 'LLM',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Hello',
      'my.input_messages.0': 'else',
    }),
  )
  expect([dialect, unread]).toEqual(['openinference', ['my.input_messages.0']])
})

it('maps a span to the same, whether watched or not', () => {
  const span = spanWith(chat)
  const before = mapSpan(span)
  readingOf(span)
  expect(mapSpan(span)).toEqual(before)
})
