import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Collector } from '../collector.ts'
import { ask, askJson, post, testCollector } from '../testing/collector.ts'
import { type TestSpan, traceRequest } from '../testing/spans.ts'

const RUN = (digit: string) => digit.repeat(32)

interface Page {
  readonly hits: readonly {
    readonly runId: string
    readonly name: string
    readonly field: string
    readonly path: string
    readonly snippet: { readonly text: string; readonly ranges: readonly (readonly [number, number])[] }
  }[]
  readonly nextCursor: string | null
  readonly index: { readonly events: number; readonly waiting: number }
}

let collector: Collector
const search = (parameters: string) => askJson(collector.port, `/api/search?${parameters}`) as unknown as Promise<Page>
const indexed = () => vi.waitFor(async () => expect((await search('q=anything')).index.waiting).toBe(0), { timeout: 10_000 })
const found = async (parameters: string) => (await search(parameters)).hits.map(({ name, field }) => `${name} ${field}`)
const tool = (id: number, name: string, args: string, result: string, more: Partial<TestSpan> = {}): TestSpan => ({
  id,
  parent: 1,
  type: 'tool',
  name,
  start: id,
  end: id + 1,
  attributes: { 'gen_ai.tool.call.arguments': args, 'gen_ai.tool.call.result': result },
  ...more,
})

describe('full-text search', () => {
  beforeAll(async () => {
    collector = await testCollector()
    await post(
      collector.port,
      traceRequest([
        { id: 1, type: 'agent', name: 'planner', end: 90 },
        tool(2, 'find_flights', '{"to":"Paris Orly","people":3}', '{"price":412}'),
        tool(3, 'book_hotel', '{"city":"Paris"}', 'Sold out', { error: 'No room in Paris' }),
      ]),
    )
    await post(
      collector.port,
      traceRequest([
        { id: 1, trace: RUN('b'), type: 'agent', name: 'writer', end: 9 },
        { ...tool(2, 'find_words', '{"word":"東京タワー"}', 'Ünïcode'), trace: RUN('b') },
      ]),
    )
    await indexed()
  })
  afterAll(() => collector.stop())

  it('finds names, inputs, outputs and errors, the newest first, with the place and the text round it', async () => {
    const { hits } = await search('q=paris')
    expect(hits.map(({ name, field }) => `${name} ${field}`).sort()).toEqual(['book_hotel error', 'book_hotel input', 'find_flights input'])
    const hit = hits.find(({ name }) => name === 'find_flights')
    expect(hit).toMatchObject({ kind: 'tool', nodeId: 'tool:find_flights', instanceId: '0000000000000002', path: 'to', runName: 'planner' })
    expect(hit?.snippet).toEqual({ text: 'Paris Orly', ranges: [[0, 5]], cutBefore: false, cutAfter: false })
  })

  it.each([
    ['q=find_fl', ['find_flights name']],
    ['q=412', ['find_flights output']],
    ['q=%22paris%20orly%22', ['find_flights input']],
    ['q=orly%20paris', ['find_flights input']],
    ['q=room%20in:error', []],
    ['q=paris&in=error', ['book_hotel error']],
    ['q=find&kind=tool', ['find_words name', 'find_flights name']],
    ['q=find&kind=agent', []],
    [`q=find&runId=${RUN('b')}`, ['find_words name']],
    ['q=%E4%BA%AC%E3%82%BF', ['find_words input']],
    ['q=%C3%BCN%C3%8FCODE', ['find_words output']],
  ])('%s finds %j', async (parameters, names) => {
    expect(await found(parameters)).toEqual(names)
  })

  it('comes in pages', async () => {
    const all = await found('q=paris')
    const first = await search('q=paris&limit=2')
    const second = await search(`q=paris&limit=2&cursor=${first.nextCursor}`)
    expect([...first.hits, ...second.hits].map(({ name, field }) => `${name} ${field}`)).toEqual(all)
    expect(second.nextCursor).toBeNull()
  })

  it.each([
    ['', 400],
    ['q=%22', 400],
    ['q=x&limit=0', 400],
    ['q=x&limit=101', 400],
    ['q=x&kind=robot', 400],
    ['q=x&in=everything', 400],
    ['q=x&cursor=y', 400],
    ['q=x&runId=nobody', 404],
    ['q=%27%22%28AND%20NEAR%2A%3A%5E', 200],
  ])('answers %s with %i', async (parameters, status) => {
    expect((await ask(collector.port, `/api/search?${parameters}`)).status).toBe(status)
  })
})

describe('the index', () => {
  beforeEach(async () => {
    collector = await testCollector({ abandonGraceMs: 0 })
  })
  afterEach(() => collector.stop())

  it('follows a run while it goes on, with what was said last', async () => {
    const agent: TestSpan = { id: 1, type: 'agent', name: 'planner', phase: 'start' }
    await post(collector.port, traceRequest([agent, { ...tool(2, 'search', '{"q":"lisbon"}', ''), phase: 'start' }]))
    await indexed()
    expect(await found('q=lisbon')).toEqual(['search input'])
    await post(collector.port, traceRequest([{ ...tool(2, 'search', '{"q":"madrid"}', 'sunny'), phase: 'end' }]))
    await indexed()
    expect([await found('q=madrid'), await found('q=sunny')]).toEqual([['search input'], ['search output']])
    expect(await found('q=lisbon')).toEqual([])
  })

  it('knows nothing of a run that was deleted, at once and for good', async () => {
    await post(collector.port, traceRequest([{ id: 1, type: 'agent', name: 'ephemeral', end: 9 }]))
    await indexed()
    const [hit] = (await search('q=ephemeral')).hits
    await ask(collector.port, `/api/runs/${hit?.runId}`, { method: 'DELETE' })
    expect(await search('q=ephemeral')).toMatchObject({ hits: [], index: { events: 0 } })
  })
})
