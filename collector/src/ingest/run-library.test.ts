import { describe, expect, it } from 'vitest'
import { KEPT_FREE_PAGES } from '../store/library/free-pages.ts'
import { UNDO_MS } from '../store/library/library-writer.ts'
import { TestStore } from '../testing/store.ts'

const RUN = (digit: string) => digit.repeat(32)

function withRuns(...digits: readonly string[]): TestStore {
  const store = new TestStore()
  for (const digit of digits) {
    store.nowMs += 10
    store.add({ id: 1, trace: RUN(digit), type: 'agent', name: `agent-${digit}`, end: 9 })
  }
  return store
}
const listed = (store: TestStore) =>
  store.database
    .prepare('SELECT id FROM runs WHERE deleted_at IS NULL ORDER BY id')
    .all()
    .map(({ id }) => String(id)[0])
const count = (store: TestStore, table: string) => Number(store.database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'])
const change = <Value>(store: TestStore, work: (library: TestStore['ingest']['library']) => Value) => {
  let value: Value | undefined
  const committed = store.ingest.commit(() => {
    value = work(store.ingest.library)
  })
  return { value, ...committed }
}

describe('marking a run', () => {
  it('keeps what was said, announces it, and does not lose it when more comes', () => {
    const store = withRuns('a')
    const marks = { name: 'Lisbon', tags: ['slow'], pinned: true, note: 'look here' }
    const { runs } = change(store, (library) => library.mark(RUN('a'), marks))
    expect(runs).toMatchObject([{ title: 'Lisbon', tags: '["slow"]', pinned: 1, note: 'look here', name: 'agent-a' }])
    const { runs: later } = store.add({ id: 2, trace: RUN('a'), parent: 1, type: 'tool', start: 1, end: 2 })
    expect(later).toMatchObject([{ title: 'Lisbon', pinned: 1, span_count: 2 }])
    change(store, (library) => library.mark(RUN('a'), { name: null }))
    expect(store.run(RUN('a'))).toMatchObject({ title: null, pinned: 1, note: 'look here' })
  })

  it('works for a run that the worker does not remember', () => {
    const store = withRuns('a')
    store.restarted()
    change(store, (library) => library.mark(RUN('a'), { pinned: true }))
    expect(store.run(RUN('a'))['pinned']).toBe(1)
    expect(change(store, (library) => library.mark(RUN('b'), { pinned: true })).value).toMatchObject({ problem: { code: 'no-such-run' } })
  })

  it('leaves nothing behind when its transaction fails', () => {
    const store = withRuns('a')
    expect(() =>
      store.ingest.commit(() => {
        store.ingest.library.mark(RUN('a'), { name: 'lost' })
        store.ingest.library.delete(RUN('a'), { forever: false })
        throw new Error('disk full')
      }),
    ).toThrow('disk full')
    const { runs, removed } = store.add({ id: 2, trace: RUN('a'), parent: 1, type: 'tool', start: 1, end: 2 })
    expect([runs[0]?.title, removed, listed(store)]).toEqual([null, [], ['a']])
  })
})

describe('deleting a run', () => {
  it('takes it out of the list at once, and for good when nobody brought it back in time', () => {
    const store = withRuns('a', 'b')
    const { value, removed } = change(store, (library) => library.delete(RUN('a'), { forever: false }))
    expect([value, removed]).toEqual([{ ok: true, value: { restorableUntil: store.nowMs + UNDO_MS } }, [RUN('a')]])
    store.nowMs += UNDO_MS - 1
    store.tidy()
    expect(count(store, 'runs')).toBe(2)
    store.nowMs += 1
    store.tidy()
    expect([count(store, 'runs'), count(store, 'purges')]).toEqual([1, 0])
    expect(change(store, (library) => library.restore(RUN('a'))).value).toMatchObject({ ok: false, problem: { code: 'no-such-run' } })
  })

  it('can be taken back until then', () => {
    const store = withRuns('a')
    change(store, (library) => library.delete(RUN('a'), { forever: false }))
    expect(change(store, (library) => library.delete(RUN('a'), { forever: false })).value).toMatchObject({
      problem: { code: 'no-such-run' },
    })
    store.nowMs += UNDO_MS - 1
    const { runs } = change(store, (library) => library.restore(RUN('a')))
    expect(runs).toMatchObject([{ id: RUN('a'), deleted_at: null }])
    store.nowMs += UNDO_MS
    store.tidy()
    expect(store.picture(RUN('a')).instances.size).toBe(1)
  })

  it('is refused while the run is running', () => {
    const store = new TestStore()
    store.add({ id: 1, trace: RUN('a'), type: 'agent', phase: 'start' })
    expect(change(store, (library) => library.delete(RUN('a'), { forever: true })).value).toMatchObject({
      problem: { code: 'run-running' },
    })
  })

  it('is undone by whatever span of the run is sent, a known one or a new one: what was answered with 200 is shown', () => {
    const store = withRuns('a')
    change(store, (library) => library.delete(RUN('a'), { forever: false }))
    const repeat = store.add({ id: 1, trace: RUN('a'), type: 'agent', name: 'agent-a', end: 9 })
    expect([repeat.runs.length, listed(store)]).toEqual([1, ['a']])
    change(store, (library) => library.delete(RUN('a'), { forever: false }))
    const { runs } = store.add({ id: 2, trace: RUN('a'), parent: 1, type: 'tool', start: 1, end: 2 })
    expect([runs.length, listed(store)]).toEqual([1, ['a']])
  })

  it('is undone by an import that holds the run, new or not', () => {
    const store = withRuns('a')
    change(store, (library) => library.delete(RUN('a'), { forever: false }))
    store.ingest.commit(() => store.ingest.settleImported(new Set([RUN('a')])))
    expect(listed(store)).toEqual(['a'])
  })

  it('leaves not one row of the run in any table, and nothing of it for a run that takes its place', () => {
    const store = withRuns('b', 'a')
    const tables = store.database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
      .map(({ name }) => String(name))
    const key = Number(store.run(RUN('a'))['key'])
    change(store, (library) => library.delete(RUN('a'), { forever: true }))
    // One step: the run is out of the list, and its rows are still there.
    store.housekeeper.step(() => undefined)
    store.add({ id: 5, trace: RUN('a'), type: 'agent', name: 'again', end: 9 })
    expect(Number(store.run(RUN('a'))['key'])).toBeGreaterThan(key)
    store.tidy()
    for (const table of tables) {
      const columns = store.database
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => name)
      if (columns.includes('run'))
        expect([table, store.database.prepare(`SELECT count(*) AS count FROM ${table} WHERE run = ?`).get(key)?.['count']]).toEqual([
          table,
          0,
        ])
    }
    expect([...store.picture(RUN('a')).instances.values()].map(({ name }) => name)).toEqual(['again'])
    expect(store.picture(RUN('b')).instances.size).toBe(1)
  })

  it('gives the space back, but for a little that is soon used again', () => {
    const store = new TestStore()
    store.database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')
    const text = (at: number) => Array.from({ length: 400 }, (_, word) => `${at}-${word * 7919}`).join(' ')
    for (let at = 2; at < 400; at++)
      store.add({ id: at, trace: RUN('a'), type: 'tool', start: at, end: at + 1, attributes: { 'gen_ai.tool.call.arguments': text(at) } })
    store.add({ id: 1, trace: RUN('a'), type: 'agent', end: 999 })
    const pages = () => Number(store.database.prepare('PRAGMA page_count').get()?.['page_count'])
    const before = pages()
    change(store, (library) => library.delete(RUN('a'), { forever: true }))
    store.tidy()
    expect(before).toBeGreaterThan(3 * KEPT_FREE_PAGES)
    expect(pages()).toBeLessThan(2 * KEPT_FREE_PAGES)
  })
})

describe('the retention', () => {
  const policy = { keepRuns: { count: 2, otherCount: 2 } }

  it('lets the runs go that are too many, without anybody asking, and says which', () => {
    const store = withRuns('a', 'b', 'c')
    expect(store.tidy()).toEqual([])
    store.housekeeper.retain(policy, [])
    store.housekeeper.changed()
    expect(store.tidy()).toEqual([RUN('a')])
    expect([listed(store), count(store, 'spans')]).toEqual([['b', 'c'], 2])
  })

  it('keeps what is running, held or pinned', () => {
    const store = withRuns('a', 'b', 'c', 'd')
    store.add({ id: 9, trace: RUN('e'), type: 'agent', phase: 'start' })
    change(store, (library) => library.mark(RUN('a'), { pinned: true }))
    store.housekeeper.retain({ keepRuns: { count: 0, otherCount: 0 } }, [RUN('b')])
    expect(store.tidy()).toEqual([RUN('d'), RUN('c')])
    expect(listed(store)).toEqual(['a', 'b', 'e'])
  })

  it('looks at the age again though nothing happened', () => {
    const store = withRuns('a')
    store.housekeeper.retain({ maxAgeMs: 100_000 }, [])
    store.nowMs += 100_000
    expect(store.tidy()).toEqual([])
    store.nowMs += 60_000
    expect(store.tidy()).toEqual([RUN('a')])
  })

  it('does not take for used what is deleted already', () => {
    const store = withRuns('a', 'b', 'c', 'd')
    const { bytes } = store.housekeeper.expired({ keepRuns: { together: 0 } }, new Set())
    change(store, (library) => library.delete(RUN('a'), { forever: false }))
    change(store, (library) => library.delete(RUN('b'), { forever: false }))
    expect(store.housekeeper.expired({ maxBytes: Math.ceil(bytes / 2) + 1 }, new Set()).runs).toEqual([])
    expect(store.housekeeper.expired({ maxBytes: Math.floor(bytes / 2) - 1 }, new Set()).runs.map(({ id }) => id)).toEqual([RUN('c')])
  })

  it('prunes on request, and only says what it would take when asked for that', () => {
    const store = withRuns('a', 'b', 'c')
    const prune = (dryRun: boolean) => {
      let pruned: ReturnType<TestStore['housekeeper']['prune']> | undefined
      const { removed } = store.ingest.commit(() => {
        pruned = store.housekeeper.prune({ keepRuns: { together: 1 } }, [RUN('a')], dryRun)
      })
      return { removed, ids: pruned?.runs.map(({ id }) => id), bytes: pruned?.bytes ?? 0 }
    }
    const dry = prune(true)
    expect([dry.removed, dry.ids, dry.bytes > 0, listed(store)]).toEqual([[], [RUN('b')], true, ['a', 'b', 'c']])
    expect(prune(false)).toMatchObject({ removed: [RUN('b')], ids: [RUN('b')] })
    expect(listed(store)).toEqual(['a', 'c'])
  })
})
