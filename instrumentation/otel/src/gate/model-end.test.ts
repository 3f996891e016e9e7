import { describe, expect, it } from 'vitest'
import { mappedEnd, modelEndOf, RequestedTools } from './model-end.ts'

const call = (input: unknown) => ({ type: 'tool-call', toolCallId: 'c1', toolName: 'convert', input })

describe('how a model’s answer ended', () => {
  it('is read from what a model of AI SDK 5 to 7 gave', () => {
    const content = [{ type: 'text', text: 'well' }, call('{"amount":10}'), call('{"amou')]
    expect(modelEndOf({ content, finishReason: { unified: 'length', raw: 'max_tokens' } })).toEqual({
      finishReason: 'length',
      toolCalls: 2,
      brokenCalls: 1,
    })
    expect(modelEndOf({ content: [], finishReason: 'content-filter' })).toEqual({
      finishReason: 'content-filter',
      toolCalls: 0,
      brokenCalls: 0,
    })
    expect(modelEndOf('text')).toBeUndefined()
    expect(modelEndOf({ text: 'of another generation' })).toBeUndefined()
  })

  it('is read from a span in any vocabulary', () => {
    const output = {
      toolCalls: [
        { name: 'convert', input: { amount: 10 } },
        { name: 'convert', input: null, inputText: '{"amou' },
      ],
    }
    const node = {
      role: 'node',
      nodeId: 'llm:step',
      dialect: 'otel-genai',
      kind: 'llm',
      name: 'm',
      finishReason: 'length',
      output,
    } as const
    expect(mappedEnd(node)).toEqual({ finishReason: 'length', toolCalls: 2, brokenCalls: 1 })
    expect(mappedEnd(undefined)).toBeUndefined()
  })

  it('is read from a stream, with the calls that were only begun', () => {
    const tools = new RequestedTools()
    tools.part({ type: 'tool-input-start', id: 'c1', toolName: 'convert' })
    tools.part(call('{"amount":10}'))
    tools.part({ type: 'tool-input-start', id: 'c2', toolName: 'convert' })
    expect(tools.end({ type: 'finish', finishReason: { unified: 'length' } })).toEqual({
      finishReason: 'length',
      toolCalls: 2,
      brokenCalls: 1,
    })
  })

  it('is read from a stream of AI SDK 4, whose calls have `args`', () => {
    const tools = new RequestedTools()
    tools.part({ type: 'tool-call', toolCallId: 'c1', toolName: 'convert', args: '{"amou' })
    expect(tools.end({ type: 'finish', finishReason: 'length' })).toEqual({ finishReason: 'length', toolCalls: 1, brokenCalls: 1 })
  })
})
