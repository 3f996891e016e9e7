import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS, mapSpan } from './registry.ts'
import type { AttributeValue, SpanView } from './span-view.ts'
import { spanWith } from './testing/spans.ts'

/** Keys that dialects look at, found by asking them; a random key would never be read. */
const KNOWN_KEYS: readonly string[] = (() => {
  const seen = new Set<string>(DIALECTS.flatMap((dialect) => dialect.metadataKeys.map((key) => key.replace('*', 'x'))))
  const operations = ['ai.streamText', 'ai.generateText.doGenerate', 'ai.toolCall', 'ai.embedMany', 'ai.rerank', 'ai.other']
  const attributes = new Proxy<Record<string, AttributeValue>>(
    {},
    {
      get: (_target, key) => {
        if (typeof key === 'string') seen.add(key)
        return undefined
      },
    },
  )
  for (const dialect of DIALECTS) {
    dialect.claims(spanWith(attributes))
    dialect.map(spanWith(attributes))
    for (const operation of operations) {
      const asking = new Proxy(attributes, { get: (target, key) => (key === 'ai.operationId' ? operation : Reflect.get(target, key)) })
      dialect.map(spanWith(asking))
    }
    for (const operation of ['invoke_agent', 'chat', 'execute_tool', 'embeddings', 'retrieval', 'rerank', 'invoke_workflow']) {
      dialect.map(
        spanWith(new Proxy(attributes, { get: (target, key) => (key === 'gen_ai.operation.name' ? operation : Reflect.get(target, key)) })),
      )
    }
  }
  return [...seen]
})()

const SEEDS = [
  '[{"role":"user","parts":[{"type":"text","content":"hi"},{"type":"tool_call","name":"a","arguments":"{"}]}]',
  '[{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\\"a\\":1}"}}]}]',
  '{"prompt":"x","system":"y","messages":[{"role":"tool","content":[]}]}',
  '"\\"{\\\\\\"city\\\\\\":1}\\""',
  '[{"role":"user","content":[{"type":"text","text":"cut',
  '{"0":137,"1":80}',
  '\ud83d',
  'ai.streamText.doStream',
  'invoke_agent',
  'chat',
  'execute_tool',
  'embeddings',
  '[0.1,0.2]',
  '['.repeat(5000),
  `${'[{"a":'.repeat(3000)}1${'}]'.repeat(3000)}`,
]

const value: fc.Arbitrary<AttributeValue> = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...SEEDS),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.json().map((text) => text.slice(0, text.length / 2)),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('role', 'content', 'parts', 'type', 'name', 'isError', '__proto__', 'toolUse'), fc.string()),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value

const attributes = fc.dictionary(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...KNOWN_KEYS) }, { weight: 1, arbitrary: fc.string() }),
  value,
  {
    maxKeys: 12,
    noNullPrototype: false,
  },
)

const span: fc.Arbitrary<SpanView> = fc.record({
  traceId: fc.constant('0af7651916cd43dd8448eb211c80319c'),
  spanId: fc.constant('b7ad6b7169203331'),
  parentSpanId: fc.option(fc.constant('00f067aa0ba902b7'), { nil: undefined }),
  parentIsRemote: fc.boolean(),
  name: fc.oneof(fc.constantFrom('chat gpt', 'execute_tool ', 'ai.toolCall', ''), fc.string({ unit: 'binary' })),
  kind: fc.integer({ min: 0, max: 5 }),
  startNanos: fc.bigInt({ min: 0n, max: 2n ** 63n }),
  endNanos: fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n }), { nil: undefined }),
  status: fc.record({
    code: fc.constantFrom('unset' as const, 'ok' as const, 'error' as const),
    message: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
  }),
  attributes,
  events: fc.array(
    fc.record({
      name: fc.constantFrom(
        'exception',
        'gen_ai.user.message',
        'gen_ai.choice',
        'gen_ai.client.inference.operation.details',
        'gen_ai.content.prompt',
        'x',
      ),
      timeNanos: fc.bigInt({ min: 0n, max: 2n ** 63n }),
      attributes: fc.dictionary(
        fc.oneof(
          fc.constantFrom(
            ...KNOWN_KEYS,
            'content',
            'message',
            'tool_calls',
            'exception.message',
            'exception.stacktrace',
            'gen_ai.event.content',
          ),
        ),
        value,
        { maxKeys: 5 },
      ),
    }),
    { maxLength: 3 },
  ),
  links: fc.constant([]),
  scope: fc.record({ name: fc.constantFrom('ai', 'gen_ai', 'next.js', 'app', ''), version: fc.constant(undefined) }),
  resource: fc.constant({}),
  droppedAttributesCount: fc.constant(0),
})

describe('mapSpan', () => {
  it('gives an answer to any span, in values that survive JSON and Unicode', () => {
    fc.assert(
      fc.property(span, (any) => {
        const text = JSON.stringify(mapSpan(any))
        expect(text.isWellFormed()).toBe(true)
        // JSON.stringify writes half a surrogate pair as an escape, so well-formed text is not enough.
        expect(/\\ud[89a-f]/i.test(text)).toBe(false)
      }),
      { numRuns: 1500 },
    )
  })

  it('names every node and keeps counts finite', () => {
    fc.assert(
      fc.property(span, (any) => {
        const mapped = mapSpan(any)
        if (mapped.role === 'plumbing') return
        expect(mapped.nodeId).toContain(':')
        if (mapped.usage !== undefined) {
          expect(mapped.usage.inputTokens).toBeGreaterThanOrEqual(0)
          expect(mapped.usage.outputTokens).toBeGreaterThanOrEqual(0)
        }
        if (mapped.error !== undefined) expect(mapped.error.message.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('asks every dialect without harm, also for spans that are not its own', () => {
    fc.assert(
      fc.property(span, (any) => {
        for (const dialect of DIALECTS) dialect.map(any)
      }),
      { numRuns: 500 },
    )
  })

  it('changes nothing of the span it reads', () => {
    fc.assert(
      fc.property(span, (any) => {
        const before = structuredClone(any)
        mapSpan(any)
        expect(any).toEqual(before)
      }),
      { numRuns: 200 },
    )
  })
})
