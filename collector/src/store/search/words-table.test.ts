import { Kysely, SqliteDialect } from 'kysely'
import { describe, expect, it } from 'vitest'
import { TestStore } from '../../testing/store.ts'
import { type SearchHit, search } from '../reads/search.ts'
import { kyselyDatabase } from '../sqlite-adapter.ts'
import type { Tables } from '../tables.ts'
import { readSearchWish } from './search-request.ts'
import { settleWordsTable, wordsTable } from './words-table.ts'

const CALLS = [
  { id: 1, type: 'agent', name: 'Boss', end: 99 },
  { id: 2, parent: 1, type: 'tool', name: 'get_weather', end: 3, attributes: { 'gen_ai.tool.call.arguments': '{"city":"Lisbon, 東京"}' } },
  { id: 3, parent: 1, type: 'tool', name: 'weathering', end: 4 },
] as const

/** A store under a SQLite that has FTS5, or as if it had none. */
function storeWith(isFts: boolean): TestStore {
  const store = new TestStore()
  settleWordsTable(store.database, isFts)
  store.restarted()
  return store
}

async function found(store: TestStore, query: string): Promise<readonly (string | null)[]> {
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyDatabase(store.database) }) })
  const wish = readSearchWish({ query })
  if (!wish.ok) throw new Error(wish.problem.message)
  const page = await search(database, { ...wish.value, run: undefined })
  if (!page.ok) throw new Error(page.problem.message)
  return page.value.hits.map(({ name, field }: SearchHit) => `${name} ${field}`)
}

const QUERIES = ['weather', '"weather"', 'get_weather', 'lisb', '"lisb"', 'lisbon 東京', '京', 'boss', 'eather', 'lisbon nothing', "a'b%_"]

describe('the words of the index', () => {
  it('are found in plain rows as they are in FTS5', async () => {
    const [fts, plain] = [storeWith(true), storeWith(false)]
    for (const store of [fts, plain]) {
      store.add(...CALLS)
      store.tidy()
    }
    expect([wordsTable(fts.database), wordsTable(plain.database)]).toEqual(['search_words', 'search_plain'])
    for (const query of QUERIES) expect({ query, found: await found(plain, query) }).toEqual({ query, found: await found(fts, query) })
    expect(await found(plain, 'lisb')).toEqual(['get_weather input'])
  })

  it('are gathered anew after a change to a Node with another SQLite, and back', async () => {
    const store = storeWith(true)
    store.add(...CALLS)
    store.tidy()
    for (const isFts of [false, true]) {
      settleWordsTable(store.database, isFts)
      store.restarted()
      expect(await found(store, 'boss')).toEqual([])
      store.tidy()
      expect(await found(store, 'boss')).toEqual(['Boss name'])
    }
    expect(store.database.prepare("SELECT name FROM sqlite_schema WHERE name = 'search_plain'").all()).toEqual([])
  })

  it('leave plain rows with the run that they are of', async () => {
    const store = storeWith(false)
    store.add(...CALLS)
    store.tidy()
    store.ingest.search.forget(Number(store.run()['key']))
    expect(store.database.prepare('SELECT count(*) AS count FROM search_plain').get()).toEqual({ count: 0 })
  })
})
