import type { RunInfo } from '@graphmind-ai/schema'
import type { Packing } from '../../import/import-packer.ts'
import type { Result } from '../../problem.ts'

export interface SkippedInFile {
  readonly file: string
  readonly line: number | null
  readonly reason: string
}

export interface FileOutcome {
  readonly skipped: readonly SkippedInFile[]
  readonly skippedCount: number
}

export interface ImportListener {
  /** How many spans, events and log records of the file are stored so far; after its end also how far they are packed. */
  stored(count: number, packing?: Packing): void
  /** A run that something of the file belongs to; one at a time, as there may be very many. */
  run(run: RunInfo): void
}

/** Where the `import` command puts files: a running server, or the database itself. */
export interface Importer {
  importFile(file: string, bytes: AsyncIterable<Uint8Array>, listener: ImportListener): Promise<Result<FileOutcome>>
  close(): Promise<void>
}
