import type { Migration } from './migration.ts'

// The index keeps which document holds which word, and neither the text nor where in it: what is found is looked up in the events.
// Words are cut and folded before they come here; the plainest tokenizer leaves them as they are.
export const search: Migration = {
  number: 8,
  statements: [
    `CREATE TABLE search_instances (
      key INTEGER PRIMARY KEY,
      run INTEGER NOT NULL,
      instance_id TEXT NOT NULL,
      node_id TEXT,
      kind TEXT,
      name TEXT,
      alias_of TEXT
    )`,
    'CREATE UNIQUE INDEX search_instances_by_id ON search_instances (run, instance_id)',
    `CREATE TABLE search_documents (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      instance INTEGER NOT NULL,
      field INTEGER NOT NULL,
      seq INTEGER NOT NULL
    )`,
    'CREATE UNIQUE INDEX search_documents_by_instance ON search_documents (instance, field)',
    `CREATE VIRTUAL TABLE search_words USING fts5 (
      words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
    )`,
    'CREATE TABLE search_progress (run INTEGER PRIMARY KEY, seq INTEGER NOT NULL, events INTEGER NOT NULL)',
  ],
}
