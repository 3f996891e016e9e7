import type { Generated, GeneratedAlways } from 'kysely'

/** One row of the runs list; counters are kept by the ingest worker in the transaction that appends. Times are epoch ms. */
export interface RunsTable {
  key: Generated<number>
  id: string
  app: string
  name: string
  started_at: number
  finished_at: number | null
  status: string
  schema_version: number
  source: string
  category: string
  event_count: number
  error_count: number
  span_count: number
  node_count: number
  /** JSON TokenUsage, or null when no model call reported any. */
  usage: string | null
  /** JSON list of model names. */
  models: string
  session_id: string | null
  merged_into: string | null
  /** 1 once an app's control session spoke for the run. */
  had_session: number
  /** JSON list of the redaction switches that hold for the run. */
  hide: string
  /** When something of the run last arrived. */
  changed_at: number
  /** JSON lists of what its nodes are, each once. */
  kinds: string
  node_names: string
  /** What people said of the run; `title` stands for its name. Tags are a JSON list. */
  title: string | null
  tags: string
  note: string | null
  pinned: number
  /** Epoch ms; until it is purged the run can be restored. */
  deleted_at: number | null
  /** Computed by SQLite from `usage`. */
  tokens: GeneratedAlways<number | null>
  cost_usd: GeneratedAlways<number | null>
  /** Spans that are stored and not derived yet: until then the other columns tell what was known before. */
  waiting: number
  /** 1 once nothing of the run is left in `events` and `spans`: it is in pages. */
  packed: number
  /** Executions of its nodes; null until a run of an earlier version is counted. */
  steps: number | null
  /** Ms in which a call was held, without what is open since `held_since` (epoch ms). */
  held_ms: number
  held_since: number | null
}

export interface EventsTable {
  run: number
  seq: number
  ts: number
  type: string
  instance_id: string | null
  origin: string
  payload: string
  /** JSON of the envelope's fields that the contract does not name. */
  unknown_fields: string | null
}

/** Raw spans as received, at most one of ours (`copy` 1) and one of anyone else's (`copy` 0) for each span id. */
export interface SpansTable {
  run: number
  span_id: string
  copy: number
  /** Arrival order within the run. */
  ordinal: number
  resource: string
  scope: string
  /** JSON SpanFacts: what the assembler needs to know again after it forgot the run. */
  facts: string
  /** The span as OTLP/JSON. */
  raw: string
}

export interface SharedPartsTable {
  run: number
  hash: string
  body: string
}

/** Events of a run that has ended; `events` counts them. Their seqs may lie between those of another page. */
export interface EventPagesTable {
  key: Generated<number>
  run: number
  first_seq: number
  last_seq: number
  events: number
  /** How the page is written (`pages/stored-page.ts`). */
  form: number
  heads: Uint8Array
  contents: Uint8Array
  /** What neither viewers nor screens ask for, as origins; null in the first form, where it lies in `heads`. */
  marks: Uint8Array | null
}

/** Copies of spans of a run that has ended. */
export interface SpanPagesTable {
  key: Generated<number>
  run: number
  first_ordinal: number
  body: Uint8Array
}

/** Log records that nodes need, under the id of the run they are about, which may come later. */
export interface LogsTable {
  run_id: string
  hash: string
  about: string
  session: number
  /** JSON StoredLog. */
  record: string
}

export interface Tables {
  runs: RunsTable
  events: EventsTable
  spans: SpansTable
  resources: SharedPartsTable
  scopes: SharedPartsTable
  logs: LogsTable
  event_pages: EventPagesTable
  span_pages: SpanPagesTable
}
