import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Program {
  readonly child: ChildProcess
  readonly output: () => string
  /** Resolves with the exit code; a program ended by a signal gives null. */
  readonly exited: Promise<number | null>
  /** Resolves when a printed line matches; rejects with the output when the program ends first. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  stop(): Promise<void>
}

/** Starts a Node program with this very Node, without the caller's GRAPHMIND_* and OTEL_* variables. */
export function startProgram(args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): Program {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(GRAPHMIND|OTEL_|NODE_OPTIONS|VITEST|NODE_ENV)/.test(name))
  const child = spawn(process.execPath, [...args], {
    cwd: options.cwd ?? root,
    env: {
      ...Object.fromEntries(inherited),
      // Nothing of a test belongs into the home of whoever runs it.
      GRAPHMIND_HOME: join(tmpdir(), 'graphmind-test-home'),
      PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const waiters = new Set<() => void>()
  const heard = (data: Buffer) => {
    output += data.toString('utf8')
    for (const check of waiters) check()
  }
  child.stdout?.on('data', heard)
  child.stderr?.on('data', heard)
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    child,
    output: () => output,
    exited,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(output)
          if (match === null) return
          waiters.delete(check)
          resolve(match)
        }
        waiters.add(check)
        check()
        void exited.then(() => reject(new Error(`The program ended without printing ${pattern}:\n${output}`)))
      }),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
