import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '@graphmind-ai/client'
import spawn from 'cross-spawn'
import { messageOf } from '../../problem.ts'
import type { Exit } from './exit.ts'
import type { CommandLine } from './recorder.ts'

/** How long a server that was asked to stop has, ms. MCP clients kill the proxy 2 s after asking it. */
const KILL_MS = 1500

export interface Server {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Undefined when the server has the real one. */
  readonly stderr: Readable | undefined
  /** Resolves when the process is gone; what it wrote may still be on its way. */
  readonly exited: Promise<Exit>
  /** Asks the process to stop, and makes it stop when it does not. */
  readonly stop: () => void
}

/** Starts the wrapped command, nothing else: no shell reads its arguments. */
export function startServer(
  { command, args }: CommandLine,
  options: { readonly environment: Environment; readonly inheritStderr: boolean },
): Server | Extract<Exit, { kind: 'not-started' }> {
  let child: ChildProcess
  try {
    child = spawn(command, [...args], {
      stdio: ['pipe', 'pipe', options.inheritStderr ? 'inherit' : 'pipe'],
      env: options.environment,
      windowsHide: true,
    })
  } catch (error) {
    return { kind: 'not-started', reason: messageOf(error) }
  }
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null) return { kind: 'not-started', reason: 'its pipes could not be opened' }
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ kind: 'not-started', reason: reasonOf(command, error) })
    })
    child.once('exit', (code, signal) => resolve(signal === null ? { kind: 'code', code: code ?? 0 } : { kind: 'signal', signal }))
  })
  return {
    stdin,
    stdout,
    stderr: stderr ?? undefined,
    exited,
    stop() {
      if (child.exitCode !== null || child.signalCode !== null || child.killed) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS)
      child.once('exit', () => clearTimeout(timer))
    },
  }
}

function reasonOf(command: string, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return `there is no command "${command}". Check its spelling and the PATH.`
    case 'EACCES':
      return `"${command}" may not be run. Check its permissions.`
    default:
      return error.message
  }
}
