import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Checkpoints } from './checkpoints.ts'

describe('Checkpoints', () => {
  let folder: string
  let database: DatabaseSync

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-checkpoints-'))
    database = new DatabaseSync(join(folder, 'a.db'))
    database.exec('CREATE TABLE t (n INTEGER); PRAGMA journal_mode = WAL')
  })
  afterEach(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })

  /** What the file holds without its journal. */
  function rowsInFile(): unknown {
    const copy = join(folder, 'copy.db')
    copyFileSync(join(folder, 'a.db'), copy)
    const alone = new DatabaseSync(copy)
    const rows = alone.prepare('SELECT count(*) AS count FROM t').get()?.['count']
    alone.close()
    return rows
  }

  const insert = (count: number, bytes: number) =>
    database.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO t SELECT randomblob(${bytes}) FROM n`,
    )

  it('brings what was committed into the file once nothing was for a second', () => {
    let nowMs = 5_000
    const checkpoints = new Checkpoints(database, () => nowMs)
    expect(checkpoints.settle()).toBe(false)
    insert(1, 1)
    expect(checkpoints.settle()).toBe(true)
    nowMs += 900
    insert(1, 1)
    expect(checkpoints.settle()).toBe(true)
    nowMs += 999
    expect([checkpoints.settle(), rowsInFile()]).toEqual([true, 0])
    nowMs += 1
    expect([checkpoints.settle(), rowsInFile()]).toEqual([false, 2])
  })

  it('does not wait for that when the journal is large, each time', () => {
    database.exec('PRAGMA journal_size_limit = 0; PRAGMA wal_autocheckpoint = 0')
    const checkpoints = new Checkpoints(database, () => 5_000)
    for (let rows = 200; rows <= 400; rows += 200) {
      insert(100, 40_000)
      expect([checkpoints.shorten(), rowsInFile()]).toEqual([false, rows - 200])
      insert(100, 50_000)
      expect([checkpoints.shorten(), rowsInFile()]).toEqual([true, rows])
      expect(checkpoints.shorten()).toBe(false)
    }
  })
})
