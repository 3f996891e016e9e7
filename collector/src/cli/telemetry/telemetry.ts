import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { VERSION } from '../../version.ts'
import type { Console } from '../console.ts'
import { graphmindHome } from '../home.ts'
import type { Environment } from '../settings.ts'
import type { TelemetryPolicy } from './policy.ts'

/** Everything that is ever told of a command (TELEMETRY.md). */
export interface UsageRecord {
  /** The command’s name; never its arguments. */
  readonly event: string
  /** Random, made once for this machine. */
  readonly installId: string
  readonly version: string
  /** Epoch ms. */
  readonly ts: number
}

const TIMEOUT_MS = 3000

/** Tells of one use of a command. Never throws, never waits, never keeps the process alive. */
export async function tellUse(event: string, policy: TelemetryPolicy, environment: Environment, console: Console): Promise<void> {
  if (policy.to === 'nobody') return
  try {
    const record: UsageRecord = { event, installId: installId(environment), version: VERSION, ts: Date.now() }
    if (policy.to === 'stderr') console.err(`telemetry: ${JSON.stringify(record)}`)
    else await send(policy.url, JSON.stringify(record))
  } catch {
    // A home that can't be written to, or an address that does not answer: nobody’s command is to suffer from it.
  }
}

function installId(environment: Environment): string {
  const home = graphmindHome(environment)
  const file = join(home, 'install-id')
  try {
    const known = readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f-]{36}$/.test(known)) return known
  } catch {
    // The first time there is none.
  }
  const made = randomUUID()
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${made}\n`, { mode: 0o600 })
  return made
}

async function send(url: string, body: string): Promise<void> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const sending: ClientRequest = request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, timeout: TIMEOUT_MS })
  sending.on('socket', (socket) => socket.unref())
  sending.on('timeout', () => sending.destroy())
  sending.on('error', () => undefined)
  sending.on('response', (response) => response.resume())
  sending.end(body)
}
