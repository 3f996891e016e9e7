import { describe, expect, it } from 'vitest'
import { readFrame } from './json-rpc.ts'
import { nodeOf } from './methods.ts'
import { traceContextOf } from './trace-context.ts'

const read = (text: string) => readFrame(Buffer.from(text))

describe('a line', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":0,"method":"ping"}', { kind: 'request', id: 0, method: 'ping' }],
    ['{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}', { kind: 'notification', method: 'notifications/initialized' }],
    ['{"id":null,"method":"ping"}', { kind: 'notification' }],
    ['{"jsonrpc":"2.0","id":"a","result":{}}', { kind: 'response', id: 'a', outcome: { ok: true, result: {} } }],
    ['{"jsonrpc":"2.0","id":1,"result":null}\r\n', { kind: 'response', outcome: { ok: true, result: null } }],
    ['{"id":1,"error":{}}', { kind: 'response', outcome: { ok: false, error: { code: 0, message: 'The error has no message.' } } }],
    ['[{"id":1,"method":"m"},7,{"method":"n"}]', { kind: 'batch', messages: [{ kind: 'request' }, { kind: 'notification' }] }],
    ['{"id":1}', { kind: 'other' }],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', { kind: 'other' }],
    ['7', { kind: 'other' }],
    ['', { kind: 'other' }],
    ['Server listening', { kind: 'noise', text: 'Server listening' }],
  ])('%s', (text, reading) => {
    expect(read(text)).toMatchObject(reading)
  })
})

describe('a method', () => {
  it.each([
    ['client', 'tools/call', { name: 'search', arguments: { q: 1 } }, { nodeId: 'tool:search', kind: 'tool', input: { q: 1 } }],
    ['server', 'tools/call', { name: 'search' }, { nodeId: 'mcp:tools/call', kind: 'custom', parentId: 'mcp:protocol' }],
    ['client', 'tools/call', {}, { nodeId: 'tool:?', kind: 'tool', input: {} }],
    ['client', 'sampling/createMessage', {}, { nodeId: 'mcp:sampling/createMessage', parentId: 'mcp:protocol' }],
    ['server', 'sampling/createMessage', { a: 1 }, { nodeId: 'llm:sampling', kind: 'llm', parentId: 'mcp:session', input: { a: 1 } }],
    ['server', 'elicitation/create', {}, { nodeId: 'mcp:elicitation/create', kind: 'custom', parentId: 'mcp:session' }],
    ['client', 'completion/complete', {}, { nodeId: 'mcp:completion/complete', kind: 'custom', parentId: 'mcp:session' }],
    ['client', 'server/discover', {}, { nodeId: 'mcp:server/discover', parentId: 'mcp:protocol' }],
    ['client', 'constructor', {}, { nodeId: 'mcp:constructor', parentId: 'mcp:protocol' }],
  ] as const)('of the %s, %s with %j', (sender, method, params, node) => {
    expect(nodeOf(sender, method, params)).toMatchObject(node)
  })

  it('with a name too long for an id gets a shorter one of its own', () => {
    const [one, two] = ['a', 'b'].map((end) => nodeOf('client', 'resources/read', { uri: `data:${'x'.repeat(2000)}${end}` }))
    expect(one?.nodeId.length).toBeLessThanOrEqual(512)
    expect(one?.nodeId).not.toBe(two?.nodeId)
  })
})

describe('trace context', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  it.each([
    [`00-${traceId}-b7ad6b7169203331-01`, traceId],
    [`00-${traceId.toUpperCase()}-b7ad6b7169203331-00`, traceId],
    [`cc-${traceId}-b7ad6b7169203331-01-later`, traceId],
    [`ff-${traceId}-b7ad6b7169203331-01`, undefined],
    [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
    [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
    [`00-${traceId}-b7ad-01`, undefined],
    [7, undefined],
  ])('%s', (traceparent, expected) => {
    expect(traceContextOf({ _meta: { traceparent } })?.traceId).toBe(expected)
  })
})
