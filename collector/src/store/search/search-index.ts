import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { readEventPage } from '../pages/event-page.ts'
import type { StoredPage } from '../pages/stored-page.ts'
import { indexedText, SEARCH_FIELDS, type SearchField, searchedFields, wordsRow } from './searched-text.ts'
import { wordsTable } from './words-table.ts'

// About two milliseconds of payloads of 3 KB.
const EVENTS_A_STEP = 16
const RUNS_A_LOOK = 200
// More changed runs than these are not remembered one by one: the index looks for them.
const MAX_CHANGED_RUNS = 10_000
const PAGES_A_MERGE = 64
const INSTANCES_A_STEP = 32

interface SearchedEvent {
  readonly seq: number
  readonly type: string
  readonly instance_id: string | null
  readonly payload: string
}

interface Progress {
  readonly run: number
  readonly seq: number
  readonly events: number
  readonly eventCount: number
}

/** Fills the full-text index, on the writing connection: each field of each instance once, with what its last event said. */
export class SearchIndex {
  readonly #behind: StatementSync
  readonly #progress: StatementSync
  readonly #setProgress: StatementSync
  readonly #removeProgress: StatementSync
  readonly #rows: StatementSync
  readonly #page: StatementSync
  readonly #instance: StatementSync
  readonly #someInstances: StatementSync
  readonly #addInstance: StatementSync
  readonly #removeInstance: StatementSync
  readonly #describe: StatementSync
  readonly #setSeq: { readonly [Field in SearchField]: StatementSync }
  readonly #addWords: StatementSync
  readonly #removeWords: StatementSync
  /** Undefined where the words are plain rows: there is nothing to join. */
  readonly #merge: StatementSync | undefined
  readonly #total: StatementSync
  /** Runs that are indexed again from the start, because something came before what was indexed. */
  readonly #renewed = new Set<number>()
  /** Runs that may be behind. */
  readonly #changed = new Set<number>()
  /** The key up to which runs were looked through for those that are behind, which is done once; then it is told of what changes. */
  #lookedTo: number | 'the end' = 0
  #open: { readonly run: number; readonly events: readonly SearchedEvent[]; readonly lastSeq: number } | undefined
  #hasRemains = false

  constructor(database: DatabaseSync) {
    this.#behind = database.prepare(
      `SELECT runs.key FROM runs LEFT JOIN search_progress ON run = runs.key
       WHERE runs.key > ? AND deleted_at IS NULL AND merged_into IS NULL AND waiting = 0 AND event_count <> coalesce(events, 0)
       ORDER BY runs.key LIMIT ${RUNS_A_LOOK}`,
    )
    this.#progress = database.prepare(
      `SELECT key, coalesce(seq, -1) AS seq, coalesce(events, 0) AS events, event_count FROM runs LEFT JOIN search_progress ON run = key
       WHERE key = ? AND deleted_at IS NULL AND merged_into IS NULL AND waiting = 0`,
    )
    this.#setProgress = database.prepare('INSERT OR REPLACE INTO search_progress (run, seq, events) VALUES (?, ?, ?)')
    this.#removeProgress = database.prepare('DELETE FROM search_progress WHERE run = ?')
    this.#rows = database.prepare(
      `SELECT seq, type, instance_id, payload FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ${EVENTS_A_STEP}`,
    )
    this.#page = database.prepare(
      'SELECT form, heads, contents, marks, last_seq FROM event_pages WHERE run = ? AND last_seq > ? ORDER BY first_seq LIMIT 1',
    )
    const seqs = SEARCH_FIELDS.map((field) => `${field}_seq`).join(', ')
    this.#instance = database.prepare(`SELECT key, ${seqs} FROM search_instances WHERE run = ? AND instance_id = ?`)
    this.#someInstances = database.prepare(`SELECT key, ${seqs} FROM search_instances WHERE run = ? LIMIT ${INSTANCES_A_STEP}`)
    this.#addInstance = database.prepare('INSERT INTO search_instances (run, instance_id) VALUES (?, ?)')
    this.#removeInstance = database.prepare('DELETE FROM search_instances WHERE key = ?')
    this.#describe = database.prepare('UPDATE search_instances SET node_id = ?, kind = ?, name = ?, alias_of = ? WHERE key = ?')
    const seqOf = (field: SearchField) => database.prepare(`UPDATE search_instances SET ${field}_seq = ? WHERE key = ?`)
    this.#setSeq = { name: seqOf('name'), input: seqOf('input'), output: seqOf('output'), error: seqOf('error') }
    const table = wordsTable(database)
    this.#addWords = database.prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`)
    this.#removeWords = database.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
    this.#merge =
      table === 'search_words' ? database.prepare("INSERT INTO search_words (search_words, rank) VALUES ('merge', ?)") : undefined
    this.#total = database.prepare('SELECT total_changes() AS changes')
  }

  /** Runs by key that may be behind now. */
  changed(runs: readonly { readonly key: number }[]): void {
    for (const { key } of runs) this.#changed.add(key)
    if (this.#changed.size > MAX_CHANGED_RUNS) this.lookAgain()
  }

  /** What is behind has to be looked for, as after a start: a step may have been undone. */
  lookAgain(): void {
    this.#changed.clear()
    this.#open = undefined
    this.#lookedTo = 0
  }

  /** Indexes some events of a run that is behind, in the open transaction. False when none is. */
  step(): boolean {
    if (this.#changed.size === 0) this.#look()
    const [run] = this.#changed
    if (run === undefined) return this.#mergeSome()
    if (!this.#stepOf(run)) this.#changed.delete(run)
    return true
  }

  #look(): void {
    if (this.#lookedTo === 'the end') return
    const keys = this.#behind.all(this.#lookedTo).map((row) => Number(row['key']))
    this.#lookedTo = keys.at(-1) ?? 'the end'
    for (const key of keys) this.#changed.add(key)
  }

  /** Takes a run out of the index, so that it is indexed anew: what its events say was changed. In the open transaction. */
  forget(run: number): void {
    while (this.removeSome(run) > 0);
  }

  /** Removes some of what the index has of a run, and says how many instances; 0 once there is nothing. */
  removeSome(run: number): number {
    const instances = this.#someInstances.all(run)
    for (const instance of instances) {
      for (const field of fieldsOf(instance)) this.#removeWords.run(wordsRow(Number(instance['key']), field))
      this.#removeInstance.run(Number(instance['key']))
    }
    if (instances.length > 0) this.#hasRemains = true
    else this.#removeProgress.run(run)
    if (this.#open?.run === run) this.#open = undefined
    return instances.length
  }

  #stepOf(run: number): boolean {
    const progress = this.#progressOf(run)
    if (progress === undefined || progress.events === progress.eventCount) {
      this.#renewed.delete(run)
      return false
    }
    const events = this.#eventsAfter(run, progress.seq)
    const last = events.at(-1)
    if (last === undefined) return this.#end(progress)
    for (const event of events) this.#index(run, event)
    this.#setProgress.run(run, last.seq, progress.events + events.length)
    return true
  }

  /** All events are indexed; when the run has more than that, some came before the others, as in a run that its client numbers. */
  #end({ run, seq, eventCount }: Progress): boolean {
    if (seq >= 0 && !this.#renewed.delete(run)) {
      this.#renewed.add(run)
      this.forget(run)
      return true
    }
    this.#setProgress.run(run, seq, eventCount)
    return false
  }

  #progressOf(run: number): Progress | undefined {
    const row = this.#progress.get(run)
    return row === undefined
      ? undefined
      : { run, seq: Number(row['seq']), events: Number(row['events']), eventCount: Number(row['event_count']) }
  }

  #eventsAfter(run: number, seq: number): readonly SearchedEvent[] {
    if (this.#open?.run !== run || this.#open.lastSeq <= seq) {
      const page = this.#page.get(run, seq)
      this.#open =
        page === undefined
          ? undefined
          : {
              run,
              events: readEventPage(page as unknown as StoredPage),
              lastSeq: Number(page['last_seq']),
            }
    }
    if (this.#open === undefined) return this.#rows.all(run, seq) as unknown as readonly SearchedEvent[]
    return this.#open.events.filter((event) => event.seq > seq).slice(0, EVENTS_A_STEP)
  }

  #index(run: number, { seq, type, instance_id: id, payload: json }: SearchedEvent): void {
    if (id === null || !(type === 'node.started' || type === 'node.finished' || type === 'node.error')) return
    const payload = JSON.parse(json) as { readonly [name: string]: unknown }
    const known = this.#instance.get(run, id)
    const instance = Number(known === undefined ? this.#addInstance.run(run, id).lastInsertRowid : known['key'])
    if (type === 'node.started') {
      const [nodeId, kind, name, aliasOf] = ['nodeId', 'kind', 'name', 'aliasOf'].map((field) => textOrNull(payload[field]))
      this.#describe.run(nodeId ?? null, kind ?? null, name ?? null, aliasOf ?? null, instance)
    }
    const indexed = known === undefined ? [] : fieldsOf(known)
    for (const [field, value] of searchedFields(type, payload)) {
      const row = wordsRow(instance, field)
      if (indexed.includes(field)) this.#removeWords.run(row)
      const words = indexedText(value)
      const isText = words.trim() !== ''
      if (isText) this.#addWords.run(row, words)
      this.#setSeq[field].run(isText ? seq : null, instance)
    }
  }

  /** Joins parts of the index, so that words of removed fields leave the file. False when there is nothing to join. */
  #mergeSome(): boolean {
    if (!this.#hasRemains || this.#merge === undefined) return false
    const before = this.#changes()
    this.#merge.run(-PAGES_A_MERGE)
    this.#hasRemains = this.#changes() - before > 1
    return this.#hasRemains
  }

  #changes(): number {
    return Number(this.#total.get()?.['changes'])
  }
}

/** Fields that have words in the index. */
function fieldsOf(instance: { readonly [column: string]: unknown }): readonly SearchField[] {
  return SEARCH_FIELDS.filter((field) => instance[`${field}_seq`] !== null)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
