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
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)')
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

  it('brings what was committed into the file, and then leaves it alone for a second', () => {
    let nowMs = 5_000
    const checkpoints = new Checkpoints(database, () => nowMs)
    database.exec('INSERT INTO t VALUES (1)')
    checkpoints.step()
    expect(rowsInFile()).toBe(1)
    database.exec('INSERT INTO t VALUES (2)')
    nowMs += 999
    checkpoints.step()
    expect(rowsInFile()).toBe(1)
    nowMs += 1
    checkpoints.step()
    expect(rowsInFile()).toBe(2)
  })
})
