import { DatabaseSync } from 'node:sqlite'
import { emptyRun, foldEnvelope, type RunPicture } from '@graphmind-ai/schema'
import { Housekeeper } from '../ingest/housekeeper.ts'
import { Ingest } from '../ingest/ingest.ts'
import { migrate } from '../store/migrate.ts'
import { readEventPage } from '../store/pages/event-page.ts'
import type { StoredPage } from '../store/pages/stored-page.ts'
import { envelopeOf } from '../store/reads/events.ts'
import { RunPacker } from '../store/run-packer.ts'
import { BASE_MS, decodeSpan, type TestSpan, TRACE } from './spans.ts'

/** A store in memory with the ingest on top; the clock stands still unless moved. */
export class TestStore {
  readonly database = new DatabaseSync(':memory:')
  nowMs = BASE_MS + 1_000
  readonly packer: RunPacker
  ingest: Ingest
  housekeeper: Housekeeper

  constructor() {
    migrate(this.database)
    this.packer = new RunPacker(this.database)
    this.ingest = new Ingest(this.database, () => this.nowMs)
    this.housekeeper = new Housekeeper(this.database, this.ingest, () => this.nowMs)
  }

  /** A new ingest on the same database, as after a restart: it remembers nothing. */
  restarted(): Ingest {
    this.ingest = new Ingest(this.database, () => this.nowMs)
    this.housekeeper = new Housekeeper(this.database, this.ingest, () => this.nowMs)
    return this.ingest
  }

  add(...spans: readonly TestSpan[]) {
    return this.ingest.commit(() => {
      for (const span of spans) this.ingest.addSpan(decodeSpan(span))
    })
  }

  /** Does everything that the writing thread does when it has time; returns the ids of runs that left the list. */
  tidy(): readonly string[] {
    const removed: string[] = []
    const isEnough = () => false
    while (this.housekeeper.step((committed) => removed.push(...committed.removed), isEnough));
    return removed
  }

  run(runId = TRACE): { readonly [column: string]: unknown } {
    const row = this.database.prepare('SELECT * FROM runs WHERE id = ?').get(runId)
    if (row === undefined) throw new Error(`no run ${runId}`)
    return row
  }

  /** Packs every run that has ended, as the worker does when it has been quiet for long. */
  pack(): void {
    this.nowMs += 86_400_000
    this.ingest.commit(() => {
      while (this.ingest.packing.packNext());
    })
  }

  /** The run's stored events, folded. */
  picture(runId = TRACE): RunPicture {
    const picture = emptyRun(runId)
    for (const row of this.events(runId)) foldEnvelope(picture, envelopeOf(runId, row))
    return picture
  }

  events(
    runId = TRACE,
  ): { readonly seq: number; readonly ts: number; readonly type: string; readonly origin: string; readonly payload: string }[] {
    const key = Number(this.run(runId)['key'])
    const pages = this.database.prepare('SELECT form, heads, contents, marks FROM event_pages WHERE run = ?').all(key)
    const paged = pages.flatMap((page) => readEventPage(page as unknown as StoredPage))
    const rows = this.database.prepare('SELECT seq, ts, type, origin, payload FROM events WHERE run = ? ORDER BY seq').all(key)
    return [...paged.map((row) => ({ ...row }) as (typeof rows)[number]), ...rows].map((row) => ({
      seq: Number(row['seq']),
      ts: Number(row['ts']),
      type: String(row['type']),
      origin: String(row['origin']),
      payload: String(row['payload']),
    }))
  }
}
