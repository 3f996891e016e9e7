import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { readingDialect } from '../store/database.ts'
import type { RunsTable, Tables } from '../store/tables.ts'
import { openWriter } from '../store/writing-database.ts'

type Columns = Partial<Omit<RunsTable, 'key' | 'tokens' | 'cost_usd'>>

/** A database file with rows in the runs list and nothing behind them. */
export class ListedRuns {
  readonly writer: DatabaseSync
  readonly reader: Kysely<Tables>
  readonly #folder = mkdtempSync(join(tmpdir(), 'graphmind-runs-'))

  /** `asked` hears the SQL of every read. */
  constructor(asked: (sql: string) => void = () => undefined) {
    const path = join(this.#folder, 'runs.db')
    const writer = openWriter(path)
    if (!writer.ok) throw new Error(writer.problem.message)
    this.writer = writer.value
    this.reader = new Kysely<Tables>({ dialect: readingDialect(path), log: ({ query }) => asked(query.sql) })
  }

  add(columns: Columns): void {
    const row = {
      id: String(columns.started_at),
      app: 'app',
      name: 'run',
      started_at: 0,
      status: 'ok',
      schema_version: 1,
      source: 'live',
      category: 'agent',
      event_count: 0,
      error_count: 0,
      span_count: 0,
      node_count: 0,
      steps: 0,
      models: '[]',
      changed_at: 0,
      ...columns,
    }
    const names = Object.keys(row)
    const statement = this.writer.prepare(`INSERT INTO runs (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    statement.run(...Object.values(row))
  }

  async close(): Promise<void> {
    await this.reader.destroy()
    this.writer.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
