import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { readEventPage } from '../store/pages/event-page.ts'
import type { StoredPage } from '../store/pages/stored-page.ts'
import { EVENTS_A_PAGE } from '../store/run-packer.ts'
import { newTally, sumTally, type Tally, tallyEvent } from './tally.ts'

/** Counts what earlier versions did not: the steps and held time of runs that nothing new came for. On the writing connection. */
export class Recount {
  readonly #next: StatementSync
  readonly #page: StatementSync
  readonly #rows: StatementSync
  readonly #set: StatementSync
  #open: { readonly run: number; readonly tally: Tally; seq: number } | undefined

  constructor(database: DatabaseSync) {
    this.#next = database.prepare('SELECT key FROM runs WHERE steps IS NULL ORDER BY key DESC LIMIT 1')
    this.#page = database.prepare(
      'SELECT form, heads, contents, marks, last_seq FROM event_pages WHERE run = ? AND last_seq > ? ORDER BY first_seq LIMIT 1',
    )
    this.#rows = database.prepare(
      `SELECT seq, ts, type, payload FROM events WHERE run = ? AND seq > ? AND type <> 'node.token' ORDER BY seq LIMIT ${EVENTS_A_PAGE}`,
    )
    this.#set = database.prepare(
      'UPDATE runs SET steps = ?, held_ms = ?, held_since = CASE WHEN finished_at IS NULL THEN ? END WHERE key = ? AND steps IS NULL RETURNING id',
    )
  }

  /** Counts a page of events in the open transaction. False when every run is counted, else the id of a run that now is. */
  step(): { readonly runId: string | undefined } | false {
    const run = this.#next.get()?.['key']
    if (run === undefined) {
      this.#open = undefined
      return false
    }
    if (this.#open?.run !== run) this.#open = { run: Number(run), tally: newTally(), seq: -1 }
    return { runId: this.#take(this.#open) ? undefined : this.#end(this.#open) }
  }

  /** False once all events are counted. */
  #take(open: { readonly run: number; readonly tally: Tally; seq: number }): boolean {
    const page = this.#page.get(open.run, open.seq)
    const rows = page === undefined ? this.#rows.all(open.run, open.seq) : readEventPage(page as unknown as StoredPage)
    for (const { seq, ts, type, payload } of rows) {
      if (Number(seq) <= open.seq) continue
      open.seq = Number(seq)
      tallyEvent(open.tally, { type: String(type), ts: Number(ts), payload: JSON.parse(String(payload)) })
    }
    return rows.length > 0
  }

  #end({ run, tally }: { readonly run: number; readonly tally: Tally }): string {
    this.#open = undefined
    const { stepCount, held } = sumTally(tally)
    const id = this.#set.get(stepCount, Math.round(held.heldMs), held.since, run)?.['id']
    return String(id)
  }
}
