import { describe, expect, it } from 'vitest'
import { finishReasonOf } from './finish-reason.ts'

describe('finishReasonOf', () => {
  it.each([
    ['stop', 'stop'],
    ['end_turn', 'stop'],
    ['STOP', 'stop'],
    ['FINISH_REASON_STOP', 'stop'],
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['tool_calls', 'tool-calls'],
    ['tool_use', 'tool-calls'],
    ['toolUse', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['content_filter', 'content-filter'],
    ['SAFETY', 'content-filter'],
    ['refusal', 'content-filter'],
    ['error', 'error'],
    ['pause_turn', 'other'],
  ])('reads %s as %s', (raw, reason) => {
    expect(finishReasonOf(raw, false)).toBe(reason)
  })

  it('takes a plain stop beside tool calls for tool calls', () => {
    expect(finishReasonOf('stop', true)).toBe('tool-calls')
    expect(finishReasonOf('length', true)).toBe('length')
  })

  it('knows nothing about a span that says nothing', () => {
    expect(finishReasonOf(undefined, true)).toBeUndefined()
  })
})
