import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Ingest } from '../ingest/ingest.ts'
import { openReader } from './database.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { readEvents } from './reads/events.ts'
import { readSpans } from './reads/spans.ts'
import { openWriter } from './writing-database.ts'

const SAVED = new URL('./saved/', import.meta.url)

/** Files that earlier versions wrote: agent runs of four dialects, both copies of a span, a held call, log records, a client's own run. */
describe.each(readdirSync(SAVED))('the saved database %s', (name) => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-saved-'))
    path = join(folder, 'runs.db')
    writeFileSync(path, gunzipSync(readFileSync(new URL(name, SAVED))))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('opens with every event and span it had, also once it is packed', async () => {
    // A packed one is the file of version 2, as a later version packed it.
    const asRows = join(folder, 'rows.db')
    writeFileSync(asRows, gunzipSync(readFileSync(new URL(name.includes('packed') ? 'version-2.db.gz' : name, SAVED))))
    const old = new DatabaseSync(asRows, { readOnly: true })
    const events = old.prepare('SELECT run, seq, ts, type, origin, payload FROM events ORDER BY run, seq').all()
    const spans = old.prepare('SELECT count(DISTINCT run || span_id) AS count FROM spans').get()?.['count']
    const keys = old
      .prepare('SELECT key FROM runs ORDER BY key')
      .all()
      .map((row) => Number(row['key']))
    old.close()
    expect([keys.length, Number(spans)]).toEqual([expect.any(Number), expect.any(Number)])

    const opened = openWriter(path)
    if (!opened.ok) throw new Error(opened.problem.message)
    const writer = opened.value
    expect(writer.prepare('PRAGMA user_version').get()?.['user_version']).toBe(SCHEMA_VERSION)
    const reader = openReader(path)
    const read = async () => {
      const all = await Promise.all(
        keys.map(async (run) =>
          (await readEvents(reader, run, { afterSeq: undefined, limit: 10_000 })).map(({ seq, ts, type, origin, payload }) => ({
            run,
            seq,
            ts,
            type,
            origin,
            payload,
          })),
        ),
      )
      const counts = await Promise.all(
        keys.map(async (run) => (JSON.parse(await readSpans(reader, run, 10_000)) as { spans: unknown[] }).spans.length),
      )
      return { events: all.flat(), spans: counts.reduce((sum, count) => sum + count, 0) }
    }
    expect(await read()).toEqual({ events: events.map((row) => ({ ...row })), spans })
    const ingest = new Ingest(writer, () => Date.now() + 86_400_000)
    ingest.commit(() => {
      while (ingest.packing.packNext());
    })
    expect(writer.prepare('SELECT count(*) AS count FROM events').get()?.['count']).toBe(0)
    expect(await read()).toEqual({ events: events.map((row) => ({ ...row })), spans })
    await reader.destroy()
    writer.close()
  })
})
