import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { failed, messageOf, ok, type Result } from '../../problem.ts'

/** What a running server tells the commands and agents of its user. Nobody else can read it. */
export interface ServeFile {
  readonly port: number
  readonly pid: number
  readonly url: string
  /** Opens the API as far as `--allow-control` says. The token of the viewer is in no file. */
  readonly agentToken: string
  readonly version: string
}

/** Where the server on this port leaves what it tells its user. */
export function serveFilePath(home: string, port: number): string {
  return join(home, 'run', `serve-${port}.json`)
}

/** Writes the file; returns the way to remove it, which leaves that of another process alone. */
export function writeServeFile(home: string, file: ServeFile): Result<() => void> {
  const path = serveFilePath(home, file.port)
  const fresh = `${path}.${file.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // A file of its own first: one that is there may be open for others, and half a token is none.
    rmSync(fresh, { force: true })
    writeFileSync(fresh, `${JSON.stringify(file)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(fresh, path)
  } catch (error) {
    return failed(
      'serve-file',
      `${path} could not be written (${messageOf(error)}), so commands with --port will not have the agent token.`,
    )
  }
  return ok(() => {
    if (readServeFile(home, file.port)?.pid === file.pid) rmSync(path, { force: true })
  })
}

/** What the server on this port has told; undefined when it told nothing. */
export function readServeFile(home: string, port: number): Pick<ServeFile, 'pid' | 'agentToken'> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(serveFilePath(home, port), 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value && 'agentToken' in value)) return undefined
    const { pid, agentToken } = value
    return typeof pid === 'number' && typeof agentToken === 'string' ? { pid, agentToken } : undefined
  } catch {
    // None, or one of another version: then there is no token to show.
    return undefined
  }
}
