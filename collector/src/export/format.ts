import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { SecretMask } from './secrets.ts'

export interface ExportedRun {
  readonly id: string
  readonly key: number
}

/** One way to write a run to a file, in pieces, so that memory stays flat with its size. */
export interface ExportFormat {
  readonly contentType: string
  readonly extension: string
  /** It holds spans and log records as they came in, not what was made of them: a run that was reported without any is empty in it. */
  readonly isRaw?: true
  /** Without a mask everything is given away. */
  write(database: Kysely<Tables>, run: ExportedRun, mask?: SecretMask): AsyncGenerator<string | Uint8Array>
}
