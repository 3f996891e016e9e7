import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fileOf, isInTransaction } from './older-sqlite.ts'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))

it.each([true, false])('knows whether a transaction is open, and leaves it open (said by node:sqlite: %s)', (isSaid) => {
  const database = new DatabaseSync(':memory:')
  const asked = isSaid ? database : { exec: (text: string) => database.exec(text) }
  database.exec('CREATE TABLE a (b)')
  expect(isInTransaction(asked)).toBe(false)
  database.exec('BEGIN; INSERT INTO a VALUES (1)')
  expect(isInTransaction(asked)).toBe(true)
  database.exec('SAVEPOINT part')
  expect(isInTransaction(asked)).toBe(true)
  database.exec('ROLLBACK')
  expect([isInTransaction(asked), database.prepare('SELECT * FROM a').all()]).toEqual([false, []])
})

it('knows no file of a database in memory', () => expect(fileOf(new DatabaseSync(':memory:'))).toBeUndefined())

it('is what everybody asks who wants something that node:sqlite of Node 22.15 lacks', () => {
  const lacking = /\.isTransaction\b|\.location\(\)|\.aggregate\(|\.setReturnArrays\(|\.createTagStore\(|new DatabaseSync\([^)]*timeout/
  const found = globSync('**/*.ts', { cwd: SOURCES }).filter(
    (file) => !/older-sqlite|\.test\.ts$/.test(file) && lacking.test(readFileSync(`${SOURCES}/${file}`, 'utf8')),
  )
  expect(found).toEqual([])
})
