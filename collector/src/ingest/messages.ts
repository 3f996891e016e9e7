import type { ChannelEvent } from '@graphmind-ai/hub'
import type { ImportProgress, ImportSummary } from '../import/import-job.ts'
import type { Signal } from '../otlp/answer.ts'
import type { OtlpFormat } from '../otlp/decode.ts'
import type { Problem, Result } from '../problem.ts'
import type { RetentionPolicy } from '../store/library/retention.ts'
import type { RunMarks } from '../store/library/run-marks.ts'
import type { RunRow } from '../store/writer.ts'
import type { Deleted } from './run-library.ts'

export type BodyEncoding = 'identity' | 'gzip' | 'deflate'

/** An export request on its way to the worker; its buffer is transferred, not copied. */
export interface ExportRequest {
  readonly signal: Signal
  readonly body: Uint8Array<ArrayBuffer>
  readonly format: OtlpFormat
  readonly encoding: BodyEncoding
  /** Largest body, counted after decompression; 64 MiB when absent. */
  readonly maxBytes?: number
}

/** What became of it. `accepted` counts spans, records or metrics. */
export type ExportOutcome =
  | { readonly status: 200; readonly accepted: number; readonly rejected: number; readonly reasons: readonly string[] }
  | { readonly status: 400 | 413 | 503; readonly message: string }

export type ToWorker =
  | ({ readonly kind: 'export'; readonly id: number } & ExportRequest)
  | { readonly kind: 'append'; readonly id: number; readonly events: readonly ChannelEvent[] }
  | { readonly kind: 'library'; readonly id: number; readonly change: LibraryChange }
  /** Settles once the run is derived whole. */
  | { readonly kind: 'derive'; readonly id: number; readonly runId: string }
  | { readonly kind: 'watch'; readonly id: number; readonly runId: string; readonly on: boolean }
  | { readonly kind: 'session'; readonly id: number; readonly runId: string; readonly hide: readonly string[] }
  | ({ readonly kind: 'sweep'; readonly id: number } & SweepRequest)
  | { readonly kind: 'remap'; readonly id: number; readonly runId: string }
  | ImportMessage
  | ({ readonly kind: 'close'; readonly id: number } & CloseOptions)

/** What is done before the database is closed: with `tidy`, what is deleted goes from the file; with `shrink`, what is free is given back. */
export interface CloseOptions {
  readonly tidy?: boolean
  readonly shrink?: boolean
}

/** A piece of a file, its buffer transferred; `end` for its end, again until the summary comes; `drop` when the rest will not come. Pieces of one file share `importId`. */
export interface ImportMessage {
  readonly kind: 'import'
  readonly id: number
  readonly importId: number
  readonly piece: Uint8Array<ArrayBuffer> | 'end' | 'drop'
}

export interface Remapped {
  readonly spans: number
  /** Corrections that were stored. */
  readonly events: number
}

/** Times are epoch ms; runs named in `except` are live or in their grace period. */
export interface SweepRequest {
  readonly sessionQuietBefore: number
  readonly spansQuietBefore: number
  readonly except: readonly string[]
  /** What the store keeps, and the runs with held calls, which it keeps in any case. Everything when absent. */
  readonly retention?: { readonly policy: RetentionPolicy; readonly held: readonly string[] }
}

/** What a person does to runs as wholes. */
export type LibraryChange =
  | { readonly type: 'mark'; readonly runId: string; readonly marks: RunMarks }
  | { readonly type: 'delete'; readonly runId: string; readonly forever: boolean; readonly evenRunning?: boolean }
  | { readonly type: 'restore'; readonly runId: string }
  | { readonly type: 'prune'; readonly policy: RetentionPolicy; readonly held: readonly string[]; readonly dryRun: boolean }

export interface LibraryAnswers {
  readonly mark: RunRow
  readonly delete: Deleted
  readonly restore: RunRow
  readonly prune: Pruned
}

/** What a prune took, or would take. */
export interface Pruned {
  readonly runs: readonly { readonly id: string; readonly name: string; readonly startedAt: number }[]
  /** About what these take in the file. */
  readonly bytes: number
}

/** A stored event; the payload stays text until someone reads it. */
export interface StoredText {
  readonly seq: number
  readonly after: number | null
  readonly ts: number
  readonly type: string
  readonly json: string
  /** JSON of the envelope's fields that the contract does not name, or null. */
  readonly unknownFields: string | null
}

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** Why nothing can be stored, null once something was again. Said when it changes. */
  | { readonly kind: 'store'; readonly problem: string | null }
  | { readonly kind: 'exported'; readonly id: number; readonly outcome: ExportOutcome }
  | { readonly kind: 'done'; readonly id: number; readonly problem?: Problem }
  | { readonly kind: 'imported'; readonly id: number; readonly result: Result<ImportProgress | ImportSummary> }
  | { readonly kind: 'library'; readonly id: number; readonly result: Result<LibraryAnswers[keyof LibraryAnswers]> }
  | { readonly kind: 'remapped'; readonly id: number; readonly result: Result<Remapped> }
  | {
      readonly kind: 'committed'
      /** Only of watched runs, in stored order. */
      readonly appended: readonly (readonly [runId: string, events: readonly StoredText[]])[]
      readonly runs: readonly RunRow[]
      readonly removed: readonly string[]
    }
