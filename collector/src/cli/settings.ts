import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CONTROL_LEVELS, type ControlLevel } from '@graphmind-ai/hub'
import type { CollectorOptions } from '../collector.ts'
import { failed, ok, type Result } from '../problem.ts'
import { retentionSettings } from './retention-settings.ts'
import { pauseOnError } from './serve/pause-on-error.ts'

/** Where the server listens unless it is told otherwise. */
export const DEFAULT_PORT = 4747

/** The options of `serve` as given on the command line. */
export interface ServeFlags {
  readonly port?: string
  readonly host?: string
  readonly db?: string
  /** Undefined when neither --open nor --no-open was given. */
  readonly open?: boolean
  readonly pauseOnError?: string
  readonly allowControl?: string
  /** False after --no-edit-input. */
  readonly editInput: boolean
  /** False after --no-otlp-ports. */
  readonly otlpPorts: boolean
  readonly json?: boolean
}

export type Environment = { readonly [name: string]: string | undefined }

/** Flags and environment as collector options; a flag beats the environment. `agentToken` is new with each start. */
export function serveSettings(flags: ServeFlags, environment: Environment, agentToken: string): Result<ServeSettings> {
  const port = readPort(flags.port)
  if (!port.ok) return port
  const breakpoints = pauseOnError(flags.pauseOnError ?? given(environment['GRAPHMIND_PAUSE_ON_ERROR']) ?? 'on')
  if (!breakpoints.ok) return breakpoints
  const grace = readGrace(given(environment['GRAPHMIND_ABANDON_GRACE_MS']))
  if (!grace.ok) return grace
  const host = readHost(flags.host ?? given(environment['GRAPHMIND_HOST']))
  if (!host.ok) return host
  const token = readToken(given(environment['GRAPHMIND_TOKEN']))
  if (!token.ok) return token
  const level = readLevel(flags.allowControl)
  if (!level.ok) return level
  const retention = retentionSettings(environment)
  if (!retention.ok) return retention
  const viewerDist = given(environment['GRAPHMIND_VIEWER_DIST'])
  return ok({
    port: port.value,
    db: databasePath(flags.db, environment),
    otlpPorts: flags.otlpPorts,
    editInput: flags.editInput,
    agent: { token: agentToken, level: level.value },
    breakpoints: breakpoints.value,
    allowedHosts: readList(environment['GRAPHMIND_ALLOWED_HOSTS']),
    allowedOrigins: readList(environment['GRAPHMIND_ALLOWED_ORIGINS']),
    ...(host.value === undefined ? {} : { host: host.value }),
    ...(token.value === undefined ? {} : { token: token.value }),
    ...(grace.value === undefined ? {} : { abandonGraceMs: grace.value }),
    ...(retention.value === undefined ? {} : { retention: retention.value }),
    ...(viewerDist === undefined ? {} : { viewerDist }),
  })
}

export type ServeSettings = CollectorOptions & Required<Pick<CollectorOptions, 'agent'>>

function readLevel(value = 'off'): Result<ControlLevel> {
  const level = CONTROL_LEVELS.find((known) => known === value)
  return level === undefined ? failed('allow-control', `--allow-control takes ${CONTROL_LEVELS.join(', ')}, not "${value}".`) : ok(level)
}

/** The database file of any command: --db, GRAPHMIND_DB, or the one in the user's home. */
export function databasePath(db: string | undefined, environment: Environment): string {
  return db ?? given(environment['GRAPHMIND_DB']) ?? join(homedir(), '.graphmind', 'graphmind.db')
}

/** A variable set to nothing counts as not set. */
function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

/** A port number of `flag`, 0 for any free one; the default when none was given. */
export function readPort(value: string | undefined, flag = '--port'): Result<number> {
  if (value === undefined) return ok(DEFAULT_PORT)
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  return port <= 65_535 ? ok(port) : failed('port', `${flag} takes a number from 0 to 65535, not "${value}".`)
}

/** An address, because a name may stand for another one tomorrow. `localhost` is the default: both addresses of loopback. */
function readHost(value: string | undefined): Result<string | undefined> {
  if (value === undefined || value.toLowerCase() === 'localhost') return ok(undefined)
  return isIP(value) === 0
    ? failed('host', `--host takes an IP address, such as 0.0.0.0 for every address of this machine, not "${value}".`)
    : ok(value)
}

function readToken(value: string | undefined): Result<string | undefined> {
  return value === undefined || /^[\w.~-]{16,256}$/.test(value)
    ? ok(value)
    : failed(
        'token',
        'GRAPHMIND_TOKEN takes 16 to 256 letters, digits, dots, tildes, dashes and underscores. Leave it out, and one is made at each start.',
      )
}

function readGrace(value: string | undefined): Result<number | undefined> {
  if (value === undefined) return ok(undefined)
  return /^\d{1,9}$/.test(value)
    ? ok(Number(value))
    : failed('grace', `GRAPHMIND_ABANDON_GRACE_MS takes a number of milliseconds, not "${value}".`)
}

/** The entries of a list that is separated by commas, in lower case. */
export function readList(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
}
