import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { RetentionPolicy } from '../store/library/retention.ts'
import type { Tables } from '../store/tables.ts'

/** Below it SQLite's journal and one large request may not fit any more. */
export const LOW_DISK_BYTES = 256 * 1024 ** 2
/** Of what the retention lets the database hold. */
export const NEAR_LIMIT = 0.9

/** What is to be known of where runs are kept. */
export interface StoreState {
  readonly path: string
  /** Of the database, without what is free in its file. */
  readonly bytes: number
  readonly diskFreeBytes: number | null
  /** Why nothing can be stored now, and what to do. */
  readonly problem: string | null
  /** What will be a problem soon, or what goes soon. */
  readonly warning: { readonly code: 'low-disk' | 'near-limit'; readonly message: string } | null
}

/** Looks at the database and its disk. `problem` is why the writing thread could not store what came last. */
export async function readStoreState(
  database: Kysely<Tables>,
  path: string,
  retention: RetentionPolicy | undefined,
  problem: string | undefined,
): Promise<StoreState> {
  const [bytes, diskFreeBytes] = await Promise.all([usedBytes(database), freeBytes(path)])
  return {
    path,
    bytes,
    diskFreeBytes,
    problem: problem ?? null,
    warning: storeWarning({ path, bytes, diskFreeBytes }, retention?.maxBytes),
  }
}

/** What a person should know before it happens, the more urgent first. */
export function storeWarning(
  { path, bytes, diskFreeBytes }: Pick<StoreState, 'path' | 'bytes' | 'diskFreeBytes'>,
  maxBytes: number | undefined,
): StoreState['warning'] {
  if (diskFreeBytes !== null && diskFreeBytes < LOW_DISK_BYTES) {
    const left = `The disk of the database ${path} has ${megabytes(diskFreeBytes)} left.`
    return { code: 'low-disk', message: `${left} Make room on it, or remove runs, before nothing more can be stored.` }
  }
  if (maxBytes === undefined || bytes < maxBytes * NEAR_LIMIT) return null
  const held = `The database holds ${megabytes(bytes)} of the ${megabytes(maxBytes)} it may.`
  return {
    code: 'near-limit',
    message: `${held} The oldest runs are removed beyond that: pin what has to stay, or raise GRAPHMIND_KEEP_BYTES.`,
  }
}

async function usedBytes(database: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ readonly used: number }>`
    SELECT (page_count - freelist_count) * page_size AS used FROM pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(
    database,
  )
  return rows[0]?.used ?? 0
}

/** Null where the system does not tell. */
async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(dirname(path))
    return bavail * bsize
  } catch {
    return null
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2).toLocaleString('en')} MB`
}
