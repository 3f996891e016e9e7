import type { DatabaseSync } from 'node:sqlite'

/** Where the words of the index are: in FTS5, or, under a Node whose SQLite has none (22.15), in rows that a search reads through. */
export type WordsTable = 'search_words' | 'search_plain'

const FTS_TABLE = `CREATE VIRTUAL TABLE search_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`

/** Whether this SQLite was built with full-text search. */
export function hasFts5(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined
}

/** The table of words that this database has. */
export function wordsTable(database: DatabaseSync): WordsTable {
  const plain = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_plain'").get()
  return plain === undefined ? 'search_words' : 'search_plain'
}

/** Gives the database the table that this SQLite can use. After a change to another Node the index is made anew. */
export function settleWordsTable(database: DatabaseSync, isFts = hasFts5(database)): void {
  const wanted: WordsTable = isFts ? 'search_words' : 'search_plain'
  if (wordsTable(database) === wanted) return
  const tables = isFts
    ? ['DROP TABLE search_plain', 'DROP TABLE IF EXISTS search_words', FTS_TABLE]
    : ['CREATE TABLE search_plain (words TEXT NOT NULL)']
  database.exec(['BEGIN IMMEDIATE', ...tables, 'DELETE FROM search_instances', 'DELETE FROM search_progress', 'COMMIT'].join(';\n'))
}
