import { readFileSync } from 'node:fs'
import { mapSpan } from '@graphmind-ai/mappings'
import { describe, expect, it } from 'vitest'
import { readTraces } from '../../testing/read-traces.ts'

const read = (name: string) => readTraces(readFileSync(new URL(`../fixtures/mlflow/${name}`, import.meta.url)), 100)
const nodesOf = (name: string) => {
  const { spans, skipped } = read(name)
  expect(skipped).toEqual([])
  return spans.map(({ view }) => ({ view, mapped: mapSpan(view) }))
}

describe('MLflow exports', () => {
  it.each(['trace-to-json.json', 'search-traces.jsonl'])(
    'read the spans of MLflow 3 with ids, exact times, errors and messages: %s',
    (file) => {
      const nodes = nodesOf(file)
      expect(nodes.map(({ mapped }) => ('nodeId' in mapped ? mapped.nodeId : ''))).toEqual([
        'agent:trip-planner',
        'llm:step',
        'tool:get_weather',
        'tool:book_hotel',
        'retriever:search_guides',
        'llm:step',
      ])
      const [root, step, weather, hotel] = nodes
      expect(root?.view.traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(root?.view.parentSpanId).toBeUndefined()
      expect(nodes.slice(1).map(({ view }) => view.parentSpanId)).toEqual(Array(5).fill(root?.view.spanId))
      expect(String(root?.view.startNanos)).toMatch(/^\d{19}$/)
      expect(root?.mapped).toMatchObject({
        run: { name: 'trip-planner', sessionId: 'sess-42', userId: 'user-7', tags: ['team=travel'] },
        output: 'Lisbon is sunny. No rooms are left.',
      })
      expect(step?.mapped).toMatchObject({
        model: 'gpt-4o-mini',
        usage: { inputTokens: 101, outputTokens: 21, cacheReadTokens: 64 },
        output: { toolCalls: [{ id: 'call_w', name: 'get_weather', input: { city: 'Lisbon' } }, { id: 'call_h' }] },
      })
      expect(weather?.mapped).toMatchObject({ output: { station: '9007199254740993' } })
      expect(hotel?.mapped).toMatchObject({ error: { name: 'ValueError', message: 'No rooms left in Lisbon' } })
    },
  )

  it('read the spans of MLflow 2', () => {
    const nodes = nodesOf('mlflow-2.json')
    expect(nodes.map(({ mapped }) => mapped)).toMatchObject([
      { nodeId: 'agent:planner', run: { name: 'planner' }, output: 'It is 21 degrees.' },
      { nodeId: 'tool:get_weather', input: { city: 'Lisbon' }, output: { temp: 21 } },
      { nodeId: 'llm:step', output: { text: '21' } },
    ])
    expect(nodes[1]?.view.parentSpanId).toBe(nodes[0]?.view.spanId)
  })

  it('take what is said of the trace from behind its spans', () => {
    const { info, data } = JSON.parse(readFileSync(new URL('../fixtures/mlflow/trace-to-json.json', import.meta.url), 'utf8'))
    const [root] = readTraces(JSON.stringify({ data, info })).spans
    expect(root?.view.attributes).toMatchObject({ 'session.id': 'sess-42' })
  })
})
