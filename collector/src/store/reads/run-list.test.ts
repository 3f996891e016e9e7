import { matchesRun, parseQuery, RUN_SORT_COLUMNS, type RunSort } from '@graphmind-ai/schema'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ListedRuns } from '../../testing/listed-runs.ts'
import { type Liveness, NOT_LIVE, runInfoOf } from './run-info.ts'
import { listRuns, type RunsQuery, readPageLimit } from './run-list.ts'

const NOW = 1_000_000

const asked: string[] = []
let runs: ListedRuns
beforeEach(() => {
  asked.length = 0
  runs = new ListedRuns((sql) => asked.push(sql))
})
afterEach(() => runs.close())

async function pageOf(query: Partial<RunsQuery> = {}) {
  const page = await listRuns(runs.reader, { limit: 100, nowMs: NOW, live: NOT_LIVE, ...query })
  if (!page.ok) throw new Error(page.problem.message)
  return page.value
}
const idsOf = async (query: Partial<RunsQuery> = {}) => (await pageOf(query)).rows.map(({ id }) => id)

async function allIds(query: Partial<RunsQuery>, between: () => void = () => undefined): Promise<readonly string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { rows, nextCursor } = await pageOf({ ...query, cursor })
    ids.push(...rows.map(({ id }) => id))
    if (nextCursor === null) return ids
    cursor = nextCursor
    between()
  }
}

describe('the runs list', () => {
  it('is newest first, without deleted runs and without those joined to another', async () => {
    for (const [id, started_at] of [
      ['a', 1],
      ['b', 3],
      ['c', 2],
    ] as const)
      runs.add({ id, started_at })
    runs.add({ id: 'gone', started_at: 9, deleted_at: 5 })
    runs.add({ id: 'joined', started_at: 9, merged_into: 'a' })
    expect(await idsOf()).toEqual(['b', 'c', 'a'])
  })

  it('repeats no run and hides none when others come in between pages', async () => {
    for (let at = 0; at < 10; at++) runs.add({ id: `old-${at}`, started_at: Math.floor(at / 3) })
    let next = 100
    const ids = await allIds({ limit: 3 }, () => runs.add({ id: `new-${next}`, started_at: next++ }))
    expect(ids).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((at) => `old-${at}`))
  })

  it.each(
    RUN_SORT_COLUMNS.flatMap((column) => [{ column, direction: 'ascending' } as const, { column, direction: 'descending' } as const]),
  )('by $column, $direction, is the same in pages as at once, with missing values last', async (sort: RunSort) => {
    for (let at = 0; at < 12; at++) {
      runs.add({
        id: `r${at}`,
        started_at: 1000 + (at % 4),
        finished_at: at % 3 === 0 ? null : 1000 + at * 7,
        name: ['Beta', 'alpha', 'Ümlaut'][at % 3] ?? '',
        status: ['ok', 'running', 'error'][at % 3] ?? '',
        usage: at % 2 === 0 ? null : JSON.stringify({ inputTokens: at % 5, outputTokens: 1, costUsd: at / 10 }),
        session_id: at % 3 === 0 ? `s${at % 2}` : null,
        steps: at % 4 === 0 ? null : at % 5,
        pinned: at % 2,
      })
    }
    const whole = await idsOf({ sort })
    expect(whole).toHaveLength(12)
    expect(await allIds({ sort, limit: 5 })).toEqual(whole)
    const { rows } = await pageOf({ sort })
    if (sort.column === 'cost') expect(rows.slice(6).map(({ cost_usd }) => cost_usd)).toEqual(Array(6).fill(null))
    if (sort.column === 'name') expect(rows[sort.direction === 'ascending' ? 0 : 11]?.name).toBe('alpha')
  })

  it('shows what needs a person first when sorted by state', async () => {
    for (const status of ['ok', 'error', 'running', 'abandoned', 'aborted']) runs.add({ id: status, status })
    runs.add({ id: 'held', status: 'running' })
    const live: Liveness = { ...NOT_LIVE, heldIds: () => ['held'] }
    expect(await idsOf({ sort: { column: 'state', direction: 'ascending' }, live })).toEqual([
      'held',
      'running',
      'error',
      'aborted',
      'abandoned',
      'ok',
    ])
  })

  it('means the same moment on every page of a relative time', async () => {
    for (let at = 0; at < 4; at++) runs.add({ id: `r${at}`, started_at: NOW - 1000 + at })
    const first = await pageOf({ query: 'since:1s', limit: 2 })
    const later = await pageOf({ query: 'since:1s', limit: 2, nowMs: NOW + 60_000, cursor: first.nextCursor ?? '' })
    expect(later.rows.map(({ id }) => id)).toEqual(['r1', 'r0'])
  })

  it('says how many runs a query leaves out', async () => {
    for (let at = 0; at < 5; at++) runs.add({ id: `r${at}`, started_at: at, source: at < 2 ? 'import' : 'live' })
    expect((await pageOf({ query: 'source:import', limit: 1 })).counts).toEqual({ all: 5, matching: 2 })
    expect((await pageOf()).counts).toBeUndefined()
  })

  it('refuses a query it does not understand, and a cursor of another list', async () => {
    runs.add({ id: 'a' })
    runs.add({ id: 'b' })
    const refused = await listRuns(runs.reader, { limit: 1, nowMs: NOW, live: NOT_LIVE, query: 'colour:red' })
    expect(refused).toMatchObject({ ok: false, problem: { code: 'bad-query', problems: [{ code: 'unknown-key', start: 0, end: 6 }] } })
    const { nextCursor } = await pageOf({ limit: 1, query: 'run' })
    for (const cursor of ['', 'nonsense', `${nextCursor}x`, nextCursor ?? '']) {
      expect(await listRuns(runs.reader, { limit: 1, nowMs: NOW, live: NOT_LIVE, cursor })).toMatchObject({
        ok: false,
        problem: { code: 'bad-cursor' },
      })
    }
  })

  it.each([
    ['all', undefined, 'runs_listed'],
    ['one category', 'category:agent', 'runs_listed_by_category'],
  ])('walks an index for %s, on the first page and on later ones, and never sorts', async (_what, query, index) => {
    runs.add({ id: 'a' })
    runs.add({ id: 'b' })
    const { nextCursor } = await pageOf({ query, limit: 1 })
    asked.length = 0
    await pageOf({ query, cursor: nextCursor ?? '' })
    await pageOf({ query })
    for (const sql of asked.filter((text) => text.includes('limit'))) {
      const plan = runs.writer.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
      expect(plan.map(({ detail }) => String(detail))).toEqual([expect.stringMatching(new RegExp(`USING INDEX ${index}( |$)`))])
    }
  })
})

describe('a query', () => {
  const live: Liveness = {
    isLive: (id) => id === 'r1' || id === 'r2',
    detachedSince: () => undefined,
    heldCount: (id) => (id === 'r2' ? 1 : 0),
    liveIds: () => ['r1', 'r2'],
    heldIds: () => ['r2'],
  }
  const QUERIES = [
    'state:ok',
    'state:paused',
    'state:running,error',
    'state:ended',
    'link:attached',
    'link:imported',
    'link:detached',
    'kind:tool',
    'kind:llm,agent',
    'name:p*',
    'name:=planner',
    'name:"p*"',
    'name:ünd',
    'name:?lanner',
    'name:100%',
    'name:a_c',
    'error:true',
    'since:500ms',
    'cost:>0.1',
    'cost:<=0.3',
    'tokens:7',
    'tokens:<10',
    'duration:>200ms',
    'duration:<100ms',
    'model:gpt*',
    'source:live',
    'session:s1',
    'tag:slow',
    'tag:Ünd',
    'app:APP',
    'pinned:true',
    'category:other',
    'planner',
    'slow',
    'r1',
    '"',
  ]
  const text = fc.constantFrom('planner', 'Planner', 'ÜND', 'ünd', '100%', 'a_c', 'abc', 'search*', 'p"q\\', '')
  const row = fc.record({
    name: text,
    app: fc.constantFrom('App', 'other'),
    title: fc.option(text),
    started_at: fc.integer({ min: NOW - 900, max: NOW }),
    lasted: fc.option(fc.integer({ min: 0, max: 400 })),
    status: fc.constantFrom('ok', 'error', 'running', 'aborted', 'abandoned'),
    source: fc.constantFrom('live', 'import', 'demo'),
    category: fc.constantFrom('agent', 'other'),
    error_count: fc.constantFrom(0, 2),
    usage: fc.option(
      fc.record({
        inputTokens: fc.integer({ min: 0, max: 9 }),
        outputTokens: fc.integer({ min: 0, max: 9 }),
        costUsd: fc.constantFrom(0, 0.1, 0.3),
      }),
    ),
    models: fc.subarray(['gpt-4o', 'claude']),
    kinds: fc.subarray(['agent', 'llm', 'tool']),
    node_names: fc.array(text, { maxLength: 3 }),
    tags: fc.subarray(['slow', 'ünd', 'p"q\\']),
    session_id: fc.option(fc.constantFrom('s1', 's2')),
    pinned: fc.constantFrom(0, 1),
    held_ms: fc.constantFrom(0, 150),
    held_since: fc.option(fc.integer({ min: NOW - 300, max: NOW })),
  })

  it('keeps the same runs in the store as in the viewer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 4 }),
        fc.subarray(QUERIES, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        async (rows, filters, negate) => {
          runs.writer.exec('DELETE FROM runs')
          for (const [at, { lasted, usage, models, kinds, node_names, tags, ...columns }] of rows.entries()) {
            runs.add({
              ...columns,
              id: `r${at}`,
              finished_at: lasted === null ? null : columns.started_at + lasted,
              usage: usage === null ? null : JSON.stringify(usage),
              models: JSON.stringify(models),
              kinds: JSON.stringify(kinds),
              node_names: JSON.stringify(node_names),
              tags: JSON.stringify(tags),
            })
          }
          const query = filters.map((filter) => (negate ? `-${filter}` : filter)).join(' ')
          const { terms, problems } = parseQuery(query)
          if (problems.length > 0) return
          const everything = (await pageOf({ live })).rows
          const kept = everything.filter((one) => matchesRun(terms, runInfoOf(one, live), NOW)).map(({ id }) => id)
          expect(await idsOf({ query, live })).toEqual(kept)
        },
      ),
      { numRuns: 150 },
    )
  })
})

it('takes a limit from 1 to the most, and says so otherwise', () => {
  expect([undefined, '', '1', '1000'].map((value) => readPageLimit(value, 500, 1000))).toEqual(
    [500, 500, 1, 1000].map((value) => ({ ok: true, value })),
  )
  for (const value of ['0', '1001', '-1', 'all', '1.5', ['5']]) {
    expect(readPageLimit(value, 500, 1000)).toMatchObject({
      ok: false,
      problem: { code: 'bad-limit', message: expect.stringContaining('1 to 1000') },
    })
  }
})
