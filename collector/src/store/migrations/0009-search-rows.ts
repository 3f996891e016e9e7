import type { Migration } from './migration.ts'

// A word's row is its instance and its field in one number, and the instance says which event each field is from: a table of documents
// beside them took a third of the index. The index is filled anew.
export const searchRows: Migration = {
  number: 9,
  statements: [
    'DROP TABLE search_documents',
    'DROP TABLE search_words',
    `CREATE VIRTUAL TABLE search_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
    'DELETE FROM search_instances',
    'DELETE FROM search_progress',
    ...['name', 'input', 'output', 'error'].map((field) => `ALTER TABLE search_instances ADD COLUMN ${field}_seq INTEGER`),
  ],
}
