import { describe, expect, it } from 'vitest'
import { matchExpression, readSearch } from '../store/search/search-terms.ts'
import { TRACE } from '../testing/spans.ts'
import { TestStore } from '../testing/store.ts'

function documents(store: TestStore, query: string): number {
  const terms = readSearch(query)
  if (!terms.ok) throw new Error(terms.problem.message)
  return store.database.prepare('SELECT rowid FROM search_words WHERE search_words MATCH ?').all(matchExpression(terms.value)).length
}
const count = (store: TestStore, table: string) => Number(store.database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
const tool = (id: number, text: string, more: object = {}) =>
  ({
    id,
    parent: 1,
    type: 'tool',
    name: `tool-${id}`,
    start: id,
    end: id + 1,
    attributes: { 'gen_ai.tool.call.arguments': text },
    ...more,
  }) as const

describe('the full-text index', () => {
  it('holds each field of each instance once, whatever was corrected and repeated', () => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', name: 'boss', end: 99 }, tool(2, 'alpha'))
    store.tidy()
    const before = count(store, 'search_words_docsize')
    store.add(tool(2, 'alpha'))
    store.add(tool(2, 'beta', { phase: 'end' }))
    store.tidy()
    expect([documents(store, 'alpha'), documents(store, 'beta'), count(store, 'search_words_docsize')]).toEqual([0, 1, before])
  })

  it('is filled from the pages of a packed run as from its rows', () => {
    const store = new TestStore()
    for (let id = 2; id < 300; id++) store.add(tool(id, `word${id}`))
    store.add({ id: 1, type: 'agent', name: 'boss', end: 999 })
    store.ingest.commit(() => store.packer.pack(Number(store.run()['key'])))
    expect(count(store, 'events')).toBe(0)
    store.tidy()
    expect([documents(store, 'word2'), documents(store, '"word150"'), documents(store, '"word299"')]).toEqual([111, 1, 1])
  })

  it('forgets what a session wants hidden, though it was indexed before', () => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', name: 'boss', end: 99 }, tool(2, 'password'))
    store.tidy()
    expect(documents(store, 'password')).toBe(1)
    store.ingest.commit(() => store.ingest.sessionSpeaksFor(TRACE, ['inputs']))
    expect(documents(store, 'password')).toBe(0)
    store.tidy()
    expect([documents(store, 'password'), documents(store, 'boss')]).toEqual([0, 1])
  })

  it('has no word of a purged run left in the file', () => {
    const store = new TestStore()
    store.add({ id: 1, type: 'agent', name: 'boss', end: 99 }, tool(2, 'xylophone'))
    store.add({ id: 1, trace: 'b'.repeat(32), type: 'agent', name: 'other', end: 9 })
    store.tidy()
    store.ingest.commit(() => store.ingest.library.delete(TRACE, { forever: true }))
    store.tidy()
    expect([count(store, 'search_words_docsize') > 0, documents(store, 'xylophone'), documents(store, 'other')]).toEqual([true, 0, 1])
    const blocks = store.database.prepare('SELECT block FROM search_words_data').all()
    expect(blocks.some(({ block }) => Buffer.from(block as Uint8Array).includes('xylophone'))).toBe(false)
  })

  it('takes in what comes before what was indexed, in a run that its client numbers, and ends', () => {
    const store = new TestStore()
    const started = (seq: number, name: string) =>
      store.ingest.commit(() =>
        store.ingest.addChannelEvent({
          runId: 'own',
          origin: `o${seq}`,
          seq,
          ts: seq,
          type: 'node.started',
          payload: { nodeId: `tool:${name}`, kind: 'tool', name, instanceId: name },
        }),
      )
    started(5, 'later')
    store.tidy()
    started(2, 'earlier')
    store.tidy()
    expect([documents(store, 'later'), documents(store, 'earlier')]).toEqual([1, 1])
    expect(store.housekeeper.step(() => undefined)).toBe(false)
  })
})
