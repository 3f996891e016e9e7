import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { failed, ok, type Result } from '../problem.ts'
import { waitForLocks } from './older-sqlite.ts'
import { openFailure } from './open-failure.ts'
import { makePrivate } from './private-file.ts'
import { isBusy } from './result-code.ts'

/** Who writes to a database, told in a file beside it. A server names its port, so that other commands go through it. */
interface Owner {
  readonly pid: number
  /** Null for a server that is just starting, and for a command that writes by itself, such as an import without a server. */
  readonly port: number | null
  /** What the server asks its callers for. The file is this user's alone, so the user's own commands may know it. */
  readonly token?: string
}

/** A server that has a database, and how to talk to it. */
export interface RunningServer {
  readonly url: string
  readonly token: string | undefined
}

/** The headers that a request to this server needs. */
export function headersFor({ token }: RunningServer): { readonly authorization?: string } {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** The one right to write to a database. It ends with the process, however that ends. */
export interface Ownership {
  /** Tells other commands where to find the server that has the database. */
  announce(port: number, token?: string): void
  release(): void
}

export const lockPath = (database: string): string => `${database}.lock`
/** An empty file that the owner keeps locked: the operating system lets go of it when a process is killed, and no process id is ever mistaken. */
export const heldPath = (database: string): string => `${database}.held`

const HEALTH_TIMEOUT_MS = 2000

/** Takes the database for this process; a problem while another has it: two writers would number the events of one run twice. */
export function ownDatabase(database: string): Result<Ownership> {
  let held: DatabaseSync | undefined
  try {
    makePrivate(heldPath(database))
    held = new DatabaseSync(heldPath(database))
    waitForLocks(held, 0)
    held.exec('BEGIN EXCLUSIVE')
    writeOwner(database, null)
    return ok(ownership(database, held))
  } catch (error) {
    held?.close()
    return isBusy(error) ? ownedBy(readOwner(database), database) : openFailure(database, error)
  }
}

function ownership(database: string, held: DatabaseSync): Ownership {
  return {
    announce: (port, token) => writeOwner(database, port, token),
    release() {
      // A file that another process has written meanwhile is not ours to take away.
      if (readOwner(database)?.pid === process.pid) rmSync(lockPath(database), { force: true })
      held.close()
    },
  }
}

function ownedBy(owner: Owner | undefined, database: string): Result<never> {
  if (owner?.port != null) {
    return failed(
      'database-owned',
      `GraphMind is running at ${addressOf(owner.port)} already, with the database ${database}. Open that, or name another file with --db.`,
    )
  }
  const who = owner === undefined ? 'Another graphmind' : `Another graphmind (process ${owner.pid})`
  return failed('database-owned', `${who} is writing to ${database}. Wait for it, stop it, or name another file with --db.`)
}

/** The server that owns this database, or undefined when none answers. */
export async function findServer(database: string): Promise<RunningServer | undefined> {
  const owner = readOwner(database)
  if (owner?.port == null || !isAlive(owner.pid)) return undefined
  const url = addressOf(owner.port)
  return (await isGraphmind(url)) ? { url, token: owner.token } : undefined
}

const addressOf = (port: number): string => `http://127.0.0.1:${port}`

function writeOwner(database: string, port: number | null, token?: string): void {
  const owner: Owner = { pid: process.pid, port, ...(token === undefined ? {} : { token }) }
  writeFileSync(lockPath(database), JSON.stringify(owner), { mode: 0o600 })
}

function readOwner(database: string): Owner | undefined {
  const path = lockPath(database)
  if (!existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return undefined
    return {
      pid: value.pid,
      port: 'port' in value && typeof value.port === 'number' ? value.port : null,
      ...('token' in value && typeof value.token === 'string' ? { token: value.token } : {}),
    }
  } catch {
    // One that is just being written: nobody to ask.
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
