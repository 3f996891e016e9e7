import { describe, expect, it } from 'vitest'
import { answerFrame, liftResult, notificationFrame } from './lift.ts'

const lift = (method: string, value: unknown, params: unknown = {}, isStateless = false) =>
  liftResult(value, { method, params, isStateless })
const text = (value: string) => ({ type: 'text', text: value })

describe('an injected value', () => {
  it.each<[string, unknown, unknown]>([
    ['tools/call', 'done', { content: [text('done')] }],
    ['tools/call', { tasks: [] }, { content: [text('{"tasks":[]}')], structuredContent: { tasks: [] } }],
    ['tools/call', [1, 2], { content: [text('[1,2]')] }],
    ['tools/call', 7, { content: [text('7')] }],
    ['tools/call', null, { content: [text('')] }],
    ['tools/call', undefined, { content: [text('')] }],
    ['tools/call', { content: 'a word' }, { content: [text('{"content":"a word"}')], structuredContent: { content: 'a word' } }],
    ['prompts/get', 'say hi', { messages: [{ role: 'user', content: text('say hi') }] }],
    ['sampling/createMessage', 'hi', { role: 'assistant', content: text('hi'), model: 'graphmind', stopReason: 'endTurn' }],
    ['tools/list', { tools: [] }, { tools: [] }],
    ['tools/list', undefined, null],
    ['toString', 'x', 'x'],
  ])('for %s: %j becomes %j', (method, value, result) => {
    expect(lift(method, value)).toEqual(result)
  })

  it('for a resource has the address that was asked for', () => {
    expect(lift('resources/read', 'body', { uri: 'file:///a' })).toEqual({
      contents: [{ uri: 'file:///a', mimeType: 'text/plain', text: 'body' }],
    })
    expect(lift('resources/read', { a: 1 }, { uri: 'x:y' })).toEqual({
      contents: [{ uri: 'x:y', mimeType: 'application/json', text: '{"a":1}' }],
    })
  })

  it.each<[string, unknown]>([
    ['tools/call', { content: [], isError: true }],
    ['tools/call', { structuredContent: { a: 1 } }],
    ['tools/call', { resultType: 'input_required', inputRequests: {} }],
    ['resources/read', { contents: [] }],
    ['prompts/get', { messages: [], description: 'd' }],
    ['sampling/createMessage', { role: 'assistant', content: text('x'), model: 'm' }],
  ])('for %s stays as it is when it has the shape already: %j', (method, value) => {
    expect(lift(method, value)).toBe(value)
  })

  it('says that it is complete, and not to be kept, in the stateless protocol', () => {
    expect(lift('tools/call', 'x', {}, true)).toEqual({ resultType: 'complete', content: [text('x')] })
    expect(lift('resources/read', 'x', { uri: 'u' }, true)).toEqual({
      resultType: 'complete',
      contents: [{ uri: 'u', mimeType: 'text/plain', text: 'x' }],
      ttlMs: 0,
      cacheScope: 'private',
    })
  })

  it('is the whole frame when it is one, with the request’s id unless it has its own', () => {
    const requested = { method: 'tools/call', params: {}, isStateless: false }
    expect(answerFrame({ jsonrpc: '2.0', error: { code: 1, message: 'm' } }, 5, requested)).toEqual({
      jsonrpc: '2.0',
      error: { code: 1, message: 'm' },
      id: 5,
    })
    expect(answerFrame({ jsonrpc: '2.0', id: 6, result: {} }, 5, requested)).toEqual({ jsonrpc: '2.0', id: 6, result: {} })
  })

  it('takes the place of a notification’s params', () => {
    expect(notificationFrame({ level: 'info' }, 'notifications/message')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info' },
    })
    expect(notificationFrame(null, 'n')).toEqual({ jsonrpc: '2.0', method: 'n' })
    expect(notificationFrame({ jsonrpc: '2.0', method: 'other' }, 'n')).toEqual({ jsonrpc: '2.0', method: 'other' })
  })
})
