import { CONTROL_LEVELS, type ControlLevel } from '@graphmind-ai/hub'
import { failed, messageOf, ok, type Result } from '../../problem.ts'
import { findServer, headersFor, isGraphmind, type RunningServer } from '../../store/database-lock.ts'
import { graphmindHome } from '../home.ts'
import { databasePath, type Environment, readPort } from '../settings.ts'
import { readServeFile } from './serve-file.ts'

export interface ServerFlags {
  readonly port?: string
  readonly db?: string
}

export interface Answer {
  readonly status: number
  /** What the server said as JSON; undefined when it said nothing. */
  readonly body: unknown
}

/** The HTTP API of a running server, as commands use it. */
export interface ServerApi {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** A problem when the server can't be reached or does not know the token; any other answer is the caller’s to read. */
  ask(path: string, request?: { readonly method?: string; readonly body?: unknown; readonly timeoutMs?: number }): Promise<Result<Answer>>
}

const TIMEOUT_MS = 30_000

/**
 * The server on `--port`, else the one that has the database open, else the one on the default port; undefined when none answers. The
 * token is that of GRAPHMIND_TOKEN, for who wants to act with the server's own; else the one for agents and commands.
 */
export async function findRunningServer(flags: ServerFlags, environment: Environment): Promise<Result<RunningServer | undefined>> {
  const port = readPort(flags.port)
  if (!port.ok) return port
  const owner = flags.port === undefined ? await findServer(databasePath(flags.db, environment)) : undefined
  const ownToken = environment['GRAPHMIND_TOKEN'] || undefined
  if (owner !== undefined) return ok({ url: owner.url, token: ownToken ?? owner.token })
  const url = `http://127.0.0.1:${port.value}`
  if (!(await isGraphmind(url))) return ok(undefined)
  return ok({ url, token: ownToken ?? readServeFile(graphmindHome(environment), port.value)?.agentToken })
}

/** The API of the running server that the flags name or the database leads to; undefined when none answers. */
export async function findServerApi(flags: ServerFlags, environment: Environment): Promise<Result<ServerApi | undefined>> {
  const found = await findRunningServer(flags, environment)
  return found.ok ? ok(found.value === undefined ? undefined : serverApi(found.value)) : found
}

/** Like `findServerApi`, for commands that make no sense without a server. */
export async function needServerApi(flags: ServerFlags, environment: Environment): Promise<Result<ServerApi>> {
  const found = await findServerApi(flags, environment)
  if (!found.ok) return found
  if (found.value !== undefined) return ok(found.value)
  const where = flags.port === undefined ? '' : ` on port ${flags.port}`
  return failed('no-server', `No GraphMind server answers${where}. Start one with graphmind serve, or name its port with --port.`)
}

/** The API of a server that was found, asked with its token. */
export function serverApi(server: RunningServer): ServerApi {
  const { url } = server
  const headers = { ...headersFor(server), 'content-type': 'application/json' }
  return {
    url,
    headers: headersFor(server),
    async ask(path, { method = 'GET', body, timeoutMs = TIMEOUT_MS } = {}) {
      try {
        const answer = await fetch(`${url}${path}`, {
          method,
          headers,
          signal: AbortSignal.timeout(timeoutMs),
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        if (answer.status === 401)
          return failed(
            'not-authorised',
            `The server at ${url} does not let you in. ${errorOf(text) ?? 'Set GRAPHMIND_TOKEN to its token.'}`,
          )
        return ok({ status: answer.status, body: text === '' ? undefined : JSON.parse(text) })
      } catch (error) {
        return failed('no-server', `The server at ${url} could not be asked: ${messageOf(error)}. Is it still running?`)
      }
    },
  }
}

/** How far we may control programs there; a server that does not say allows everything. */
export async function controlLevel(server: ServerApi): Promise<ControlLevel> {
  const answer = await server.ask('/api/session')
  const level = answer.ok ? (answer.value.body as { readonly level?: unknown }).level : undefined
  return CONTROL_LEVELS.find((known) => known === level) ?? 'edit'
}

/** What a server’s refusal says; a sentence for any other answer that is none. */
export function refusalOf({ status, body }: Answer): string {
  return errorOf(JSON.stringify(body)) ?? `The server answered ${status}.`
}

function errorOf(text: string | undefined): string | undefined {
  try {
    const body: unknown = JSON.parse(text ?? '')
    return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string' ? body.error : undefined
  } catch {
    // A proxy in between answers in HTML.
    return undefined
  }
}
