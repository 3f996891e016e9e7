import { type ChildProcess, execFileSync, spawn } from 'node:child_process'

/** A command line in a terminal of its own: `script` of util-linux gives it a real one, 100 columns wide. */
export interface Terminal {
  /** Resolves once what was shown matches; rejects when the command ends first. */
  shows(pattern: RegExp): Promise<RegExpExecArray>
  press(keys: string): void
  /** Resolves with the exit code. */
  readonly ended: Promise<number>
  /** What was shown since the last time it was asked for. */
  fresh(): string
  kill(): void
}

export const CTRL_C = '\x03'

/** False where there is no `script` that can do this (macOS has another). */
export function hasTerminal(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux')
  } catch {
    return false
  }
}

export function openTerminal(command: string, { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> }): Terminal {
  // `exec`, so that Ctrl+C and the exit code are the command’s own.
  const isSimple = !/[|;<>]/.test(command)
  const inTerminal = `stty cols 100 rows 40 -echoctl; ${isSimple ? 'exec ' : ''}${command}`
  const child: ChildProcess = spawn('script', ['--quiet', '--return', '--command', inTerminal, '/dev/null'], {
    cwd,
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let shown = ''
  let told = 0
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => {
      shown += data.toString('utf8').replaceAll('\r\n', '\n')
      for (const look of looks) look()
    })
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  return {
    ended,
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(shown)
          if (match === null) return
          looks.delete(look)
          resolve(match)
        }
        looks.add(look)
        look()
        void ended.then(() => reject(new Error(`${command} ended without showing ${pattern}:\n${shown}`)))
      }),
    press: (keys) => child.stdin?.write(keys),
    fresh() {
      const text = shown.slice(told)
      told = shown.length
      return text
    },
    kill: () => child.kill('SIGKILL'),
  }
}
