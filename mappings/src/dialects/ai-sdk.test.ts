import { describe, expect, it } from 'vitest'
import { mapSpan } from '../registry.ts'
import { spanWith } from '../testing/spans.ts'

const step = { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.model.provider': 'openai.chat', 'ai.model.id': 'gpt-4o-mini' }

describe('ai-sdk', () => {
  it('reads NaN token counts as absent', () => {
    const mapped = mapSpan(spanWith({ ...step, 'ai.usage.promptTokens': Number.NaN, 'ai.usage.completionTokens': Number.NaN }))
    expect('usage' in mapped).toBe(false)
  })

  it('adds what Anthropic left out of the prompt until AI SDK 5, and nothing when the count is whole', () => {
    const usage = (metadata: object, input: number) => {
      const mapped = mapSpan(
        spanWith({
          ...step,
          'ai.model.provider': 'anthropic.messages',
          'ai.usage.promptTokens': input,
          'ai.usage.completionTokens': 7,
          'ai.response.providerMetadata': JSON.stringify({ anthropic: metadata }),
        }),
      )
      return mapped.role === 'node' ? mapped.usage : undefined
    }
    expect(usage({ cacheCreationInputTokens: 100, cacheReadInputTokens: 800 }, 40)?.inputTokens).toBe(940)
    expect(usage({ usage: { input_tokens: 40 }, cacheCreationInputTokens: 100, cacheReadInputTokens: 800 }, 40)?.inputTokens).toBe(940)
    expect(usage({ usage: { input_tokens: 40 }, cacheCreationInputTokens: 100, cacheReadInputTokens: 800 }, 940)?.inputTokens).toBe(940)
  })

  it('calls a stream aborted that ended without a word, and not one that is still open', () => {
    const root = { 'ai.operationId': 'ai.streamText', 'ai.telemetry.functionId': 'hang' }
    expect(mapSpan(spanWith(root))).toMatchObject({ aborted: true })
    expect('aborted' in mapSpan(spanWith(root, { endNanos: undefined }))).toBe(false)
    expect('aborted' in mapSpan(spanWith({ ...root, 'ai.response.finishReason': 'stop' }))).toBe(false)
  })

  it('takes an abort error for an abort, not for a failure', () => {
    const events = [{ name: 'exception', timeNanos: 1n, attributes: { 'exception.type': 'AbortError', 'exception.message': 'stopped' } }]
    const mapped = mapSpan(spanWith(step, { status: { code: 'error', message: 'stopped' }, events }))
    expect(mapped).toMatchObject({ aborted: true })
    expect('error' in mapped).toBe(false)
  })

  it('names an agent without a functionId after its span', () => {
    expect(mapSpan(spanWith({ 'ai.operationId': 'ai.generateText' }, { name: 'ai.generateText' }))).toMatchObject({
      nodeId: 'agent:ai.generateText',
    })
  })

  it('gives the run its name only from a root', () => {
    const attributes = { 'ai.operationId': 'ai.generateText', 'ai.telemetry.functionId': 'researcher' }
    expect(mapSpan(spanWith(attributes)).run).toEqual({ name: 'researcher' })
    expect(mapSpan(spanWith(attributes, { parentSpanId: '00f067aa0ba902b7' })).run).toBeUndefined()
  })

  it('reads time to first token from the event when the attribute is missing', () => {
    const events = [{ name: 'ai.stream.firstChunk', timeNanos: 1n, attributes: { 'ai.response.msToFirstChunk': 27.99705899 } }]
    expect(mapSpan(spanWith({ ...step, 'ai.operationId': 'ai.streamText.doStream' }, { events }))).toMatchObject({ firstTokenMs: 27.997 })
  })

  it('keeps only the length of embeddings', () => {
    const mapped = mapSpan(spanWith({ 'ai.operationId': 'ai.embedMany', 'ai.embeddings': ['[0.1,0.2,0.3]', '[0.1,0.2,0.3]'] }))
    expect(mapped).toMatchObject({ output: { vectors: 2, dimensions: 3 }, twinClass: 'embedding' })
  })
})
