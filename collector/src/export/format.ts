import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

export interface ExportedRun {
  readonly id: string
  readonly key: number
}

/** One way to write a run to a file, in pieces, so that memory stays flat with its size. */
export interface ExportFormat {
  readonly contentType: string
  readonly extension: string
  write(database: Kysely<Tables>, run: ExportedRun): AsyncGenerator<string | Uint8Array>
}
