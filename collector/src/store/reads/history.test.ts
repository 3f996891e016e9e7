import { Kysely, SqliteDialect } from 'kysely'
import { describe, expect, it } from 'vitest'
import { TRACE } from '../../testing/spans.ts'
import { TestStore } from '../../testing/store.ts'
import { kyselyDatabase } from '../sqlite-adapter.ts'
import type { Tables } from '../tables.ts'
import { eventRange } from './events.ts'
import { historyPages, MAX_SHEET_BYTES } from './history.ts'

/** How the history of a run comes whose one call had an input of this length: in rows, and packed. */
async function kinds(inputLength: number): Promise<readonly string[][]> {
  const store = new TestStore()
  store.add({ id: 1, type: 'agent', start: 0, end: 5 })
  store.ingest.commit(() => {
    const payload = { pauseId: 'p', nodeId: 'n', point: 'before', input: 'x'.repeat(inputLength) }
    store.ingest.addChannelEvent({ runId: TRACE, origin: 's:1', seq: undefined, ts: 1, type: 'exec.paused', payload })
  })
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: kyselyDatabase(store.database) }) })
  const run = { id: TRACE, key: Number(store.run()['key']) }
  const read = async () => {
    const wish = { afterSeq: undefined, payloads: 'all', sheets: true } as const
    const found: string[] = []
    for await (const page of historyPages(database, run, wish, await eventRange(database, run.key, undefined))) {
      found.push('sheet' in page ? 'sheet' : `${page.events.length} events`)
    }
    return found
  }
  const inRows = await read()
  store.packer.pack(run.key)
  return [inRows, await read()]
}

describe('the history of a run in sheets', () => {
  it('comes as a sheet up to a length that a browser reads at once, and beyond it as events', async () => {
    expect(await kinds(MAX_SHEET_BYTES - 10_000)).toEqual([['sheet'], ['sheet']])
    expect(await kinds(MAX_SHEET_BYTES)).toEqual([['5 events'], ['5 events']])
  })
})
