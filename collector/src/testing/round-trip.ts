import type { RunPicture } from '@graphmind-ai/schema'
import { Kysely, SqliteDialect } from 'kysely'
import { expect } from 'vitest'
import type { ExportFormat } from '../export/format.ts'
import type { SecretMask } from '../export/secrets.ts'
import { ImportJob } from '../import/import-job.ts'
import { kyselyDatabase } from '../store/sqlite-adapter.ts'
import type { Tables } from '../store/tables.ts'
import { readTraces } from './read-traces.ts'
import { TestStore } from './store.ts'

export function imported(...contents: readonly Uint8Array[]): TestStore {
  const store = new TestStore()
  for (const content of contents) importInto(store, content)
  return store
}

export function importInto(store: TestStore, content: Uint8Array) {
  const job = new ImportJob(store.ingest)
  store.ingest.commit(() => {
    job.take(content)
  })
  let done: ReturnType<ImportJob['finish']> | undefined
  while (done === undefined || !('runIds' in done)) {
    store.ingest.commit(() => {
      done = job.finish(() => false)
    })
  }
  return done
}

export async function exported(store: TestStore, format: ExportFormat, mask?: SecretMask): Promise<Buffer> {
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyDatabase(store.database) }) })
  const pieces: Buffer[] = []
  // A trace that was joined to another run is exported with that.
  for (const { id, key } of runs(store, 'WHERE merged_into IS NULL'))
    for await (const piece of format.write(database, { id, key }, mask)) pieces.push(Buffer.from(piece as string))
  return Buffer.concat(pieces)
}

export function runs(store: TestStore, which = ''): readonly { readonly id: string; readonly key: number }[] {
  return store.database
    .prepare(`SELECT id, key FROM runs ${which} ORDER BY id`)
    .all()
    .map((row) => ({ id: String(row['id']), key: Number(row['key']) }))
}

/** Spans by id, with all that was said of them. */
export function spansIn(...contents: readonly Uint8Array[]) {
  return contents
    .map((content) => readTraces(content))
    .flatMap(({ spans, skipped }) => {
      expect(skipped).toEqual([])
      return spans
    })
    .map(({ raw, resource, scope }) => ({ raw, resource: JSON.parse(resource.json), scope: JSON.parse(scope.json) }))
    .sort(byId)
}

/** What is kept of log records, whoever keeps it. */
export function logsIn(store: TestStore): readonly string[] {
  return store.database
    .prepare('SELECT record FROM logs ORDER BY run_id, hash')
    .all()
    .map(({ record }) => String(record))
}

export function byId(one: { readonly raw: { readonly traceId: string; readonly spanId: string } }, other: typeof one): number {
  return `${one.raw.traceId}${one.raw.spanId}` < `${other.raw.traceId}${other.raw.spanId}` ? -1 : 1
}

export function pictures(store: TestStore, which = ''): readonly object[] {
  return runs(store, which).map(({ id }) => comparable(store.picture(id)))
}

/** A picture without what differs from store to store: sequence numbers. */
function comparable({ instances, ...run }: RunPicture): object {
  const shown = [...instances.values()].map(({ firstSeq: _first, lastSeq: _last, ...instance }) => instance)
  return { runId: run.runId, status: run.status, meta: run.meta, instances: shown.sort((one, other) => (one.id < other.id ? -1 : 1)) }
}
