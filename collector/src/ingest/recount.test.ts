import { describe, expect, it } from 'vitest'
import { BASE_MS, TRACE } from '../testing/spans.ts'
import { TestStore } from '../testing/store.ts'

function recorded(): TestStore {
  const store = new TestStore()
  store.add({ id: 1, type: 'agent', name: 'boss' })
  const pause = { pauseId: 'p', nodeId: 'tool:search', point: 'before' }
  store.ingest.commit(() => {
    const event = { runId: TRACE, seq: undefined }
    store.ingest.addChannelEvent({ ...event, origin: 's:1', ts: BASE_MS + 100, type: 'exec.paused', payload: pause })
    store.ingest.addChannelEvent({
      ...{ ...event, origin: 's:2', ts: BASE_MS + 400, type: 'exec.resumed' },
      payload: { pauseId: 'p', action: 'continue' },
    })
  })
  for (let id = 2; id < 300; id++) store.add({ id, parent: 1, type: 'tool', name: `tool-${id % 3}`, start: id, end: id + 1 })
  store.add({ id: 1, type: 'agent', name: 'boss', end: 999 })
  return store
}
const facts = (store: TestStore) => {
  const { steps, held_ms, held_since } = store.run()
  return { steps, held_ms, held_since }
}

describe('what an earlier version did not count', () => {
  it.each(['rows', 'pages'])(
    'is counted from a run in %s, announced once, and the same as of a run that was counted as it came',
    (form) => {
      const store = recorded()
      const counted = facts(store)
      expect(counted).toEqual({ steps: 299, held_ms: 300, held_since: null })
      if (form === 'pages') store.pack()
      store.database.exec('UPDATE runs SET steps = NULL, held_ms = 0')
      store.restarted()
      const announced: unknown[] = []
      while (store.housekeeper.step(({ runs }) => announced.push(...runs)));
      expect(facts(store)).toEqual(counted)
      expect(announced).toMatchObject([{ id: TRACE, steps: 299 }])
    },
  )

  it('is left to what comes for the run meanwhile', () => {
    const store = recorded()
    store.database.exec('UPDATE runs SET steps = NULL, held_ms = 0')
    store.restarted()
    store.housekeeper.step(() => undefined)
    store.add({ id: 300, parent: 1, type: 'tool', name: 'late', start: 500, end: 501 })
    expect(facts(store)).toEqual({ steps: 300, held_ms: 300, held_since: null })
    store.tidy()
    expect(facts(store).steps).toBe(300)
  })
})

it('tells since when a call is held, and counts it to the end once the run is over', () => {
  const store = new TestStore()
  store.add({ id: 1, type: 'agent', name: 'boss' })
  store.ingest.commit(() =>
    store.ingest.addChannelEvent({
      ...{ runId: TRACE, seq: undefined, origin: 's:1', ts: BASE_MS + 100, type: 'exec.paused' },
      payload: { pauseId: 'p', nodeId: 'tool:search', point: 'before' },
    }),
  )
  expect(facts(store)).toEqual({ steps: 1, held_ms: 0, held_since: BASE_MS + 100 })
  store.add({ id: 1, type: 'agent', name: 'boss', end: 900 })
  expect(facts(store)).toEqual({ steps: 1, held_ms: 800, held_since: null })
})
