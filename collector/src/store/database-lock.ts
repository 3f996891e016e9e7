import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { failed, ok, type Result } from '../problem.ts'

/** Who writes to a database, told in a file beside it. A server names its port, so that other commands go through it. */
interface Owner {
  readonly pid: number
  /** Null for a command that writes by itself, such as an import without a server. */
  readonly port: number | null
}

export const lockPath = (database: string): string => `${database}.lock`

const HEALTH_TIMEOUT_MS = 2000

/** Tells other commands that this server owns the database. Returns how to take that back. */
export function announceServer(database: string, port: number): () => void {
  const path = lockPath(database)
  writeFileSync(path, JSON.stringify({ pid: process.pid, port } satisfies Owner), { mode: 0o600 })
  return () => removeOwn(path)
}

/** The address of the server that owns this database, or undefined when none answers. */
export async function findServer(database: string): Promise<string | undefined> {
  const owner = readOwner(lockPath(database))
  if (owner?.port == null || !isAlive(owner.pid)) return undefined
  const url = `http://127.0.0.1:${owner.port}`
  return (await isGraphmind(url)) ? url : undefined
}

/** A problem while a server has this database: two writers would number the events of one run twice. */
export async function checkUnowned(database: string): Promise<Result<void>> {
  const server = await findServer(database)
  if (server === undefined) return ok(undefined)
  return failed(
    'database-owned',
    `GraphMind is running at ${server} already, with the database ${database}. Open that, or name another file with --db.`,
  )
}

/** Takes the database for a command of its own; a problem while another such command has it. */
export function lockForCommand(database: string): Result<() => void> {
  const path = lockPath(database)
  const owner = readOwner(path)
  if (owner !== undefined && owner.pid !== process.pid && owner.port === null && isAlive(owner.pid)) {
    return failed('database-locked', `Another graphmind command (process ${owner.pid}) is writing to ${database}. Wait for it, or stop it.`)
  }
  writeFileSync(path, JSON.stringify({ pid: process.pid, port: null } satisfies Owner), { mode: 0o600 })
  return ok(() => removeOwn(path))
}

function removeOwn(path: string): void {
  if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true })
}

function readOwner(path: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return undefined
    return { pid: value.pid, port: 'port' in value && typeof value.port === 'number' ? value.port : null }
  } catch {
    // No file, or one that is just being written: nobody to ask.
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process is there, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** True when a GraphMind server answers at this address. */
export async function isGraphmind(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    const body: unknown = await answer.json()
    return typeof body === 'object' && body !== null && 'name' in body && body.name === 'graphmind'
  } catch {
    // A port that nobody answers on is a server that is gone.
    return false
  }
}
