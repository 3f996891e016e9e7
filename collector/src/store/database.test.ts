import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReader } from './database.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { openWriter } from './writing-database.ts'

describe('openWriter', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-db-'))
    path = join(folder, 'new', 'runs.db')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const open = () => {
    const opened = openWriter(path)
    if (!opened.ok) throw new Error(opened.problem.message)
    return opened.value
  }
  const pragma = (database: DatabaseSync, name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]

  it('makes a private file in the measured shape', () => {
    const database = open()
    expect(['page_size', 'journal_mode', 'synchronous', 'auto_vacuum', 'user_version'].map((name) => pragma(database, name))).toEqual([
      16384,
      'wal',
      1,
      2,
      SCHEMA_VERSION,
    ])
    expect([statSync(join(folder, 'new')).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600])
    database.close()
  })

  it('makes no files for savepoints and sorting, which would stand outside of its folder', () => {
    const database = open()
    expect(pragma(database, 'temp_store')).toBe(2)
    database.close()
  })

  it('takes rights from others on a file that was open to them', () => {
    open().close()
    chmodSync(path, 0o644)
    open().close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('opens its own file again without changing it', () => {
    const first = open()
    first.exec("INSERT INTO resources (run, hash, body) VALUES (1, 'h', '{}')")
    first.close()
    const second = open()
    expect(second.prepare('SELECT count(*) AS count FROM resources').get()?.['count']).toBe(1)
    second.close()
  })

  it('leaves the file of a newer version alone, and says what to do', () => {
    const database = open()
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    database.close()
    const before = readFileSync(path)
    expect(openWriter(path)).toMatchObject({
      ok: false,
      problem: { code: 'database-newer', message: expect.stringContaining('Update GraphMind') },
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('refuses a database of something else, and a file that is none', () => {
    path = join(folder, 'other.db')
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE notes (text)')
    other.close()
    expect(openWriter(path)).toMatchObject({ ok: false, problem: { code: 'database-foreign' } })
    path = join(folder, 'text.db')
    writeFileSync(path, 'no database, but text that is longer than a header of one hundred bytes has to be, so that SQLite looks at it')
    expect(openWriter(path)).toMatchObject({
      ok: false,
      problem: { code: 'database-damaged', message: expect.stringContaining('Move it away') },
    })
  })

  it('numbers its steps without holes', () => {
    expect(MIGRATIONS.map((migration) => migration.number)).toEqual(MIGRATIONS.map((_migration, index) => index + 1))
  })

  it('lets a reader see what is committed, and not write', async () => {
    const writer = open()
    const reader = openReader(path)
    writer.exec("INSERT INTO resources (run, hash, body) VALUES (1, 'h', '{}')")
    expect(await reader.selectFrom('resources').select('hash').execute()).toEqual([{ hash: 'h' }])
    await expect(reader.deleteFrom('resources').execute()).rejects.toThrow('readonly')
    await reader.destroy()
    writer.close()
  })
})
