import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { expect, it } from 'vitest'
import { kyselyDatabase } from './sqlite-adapter.ts'

it('tells statements that give rows from those that change some, also on a Node that can’t say', async () => {
  const raw = new DatabaseSync(':memory:')
  raw.exec('CREATE TABLE pet (name TEXT)')
  // Node 22.15 has no such method.
  const prepare = raw.prepare.bind(raw)
  raw.prepare = (text) => Object.assign(prepare(text), { columns: undefined })
  const database = new Kysely<{ pet: { name: string } }>({ dialect: new SqliteDialect({ database: kyselyDatabase(raw) }) })
  expect((await database.insertInto('pet').values({ name: 'Ada' }).executeTakeFirst()).numInsertedOrUpdatedRows).toBe(1n)
  expect(await database.insertInto('pet').values({ name: 'Bob' }).returning('name').execute()).toEqual([{ name: 'Bob' }])
  expect(await database.selectFrom('pet').select('name').execute()).toEqual([{ name: 'Ada' }, { name: 'Bob' }])
  expect((await sql<{ name: string }>`WITH p AS (SELECT name FROM pet) SELECT * FROM p`.execute(database)).rows).toHaveLength(2)
  expect((await database.deleteFrom('pet').executeTakeFirst()).numDeletedRows).toBe(2n)
  await database.destroy()
})
