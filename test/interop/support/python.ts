import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../support/process.ts'

const FOLDER = join(root, 'test', 'interop')
const REQUIREMENTS = join(FOLDER, 'requirements.txt')
const VENV = join(root, 'node_modules', '.cache', 'interop-python')
const PYTHON = process.platform === 'win32' ? join(VENV, 'Scripts', 'python.exe') : join(VENV, 'bin', 'python')

const execute = promisify(execFile)

/** A Python with the packages of requirements.txt, or why there is none. */
export type Python =
  | { readonly ok: true; run(program: string, args: readonly string[], env: Record<string, string>): Promise<string> }
  | NoPython
interface NoPython {
  readonly ok: false
  readonly reason: string
}

/** Makes the environment in node_modules/.cache, unless it is there from the same requirements and the same Python. */
export async function preparePython(): Promise<Python> {
  const found = await findPython()
  if (!found.ok) return found
  const stamp = createHash('sha256').update(readFileSync(REQUIREMENTS)).update(found.version).digest('hex')
  const stampFile = join(VENV, '.installed-from')
  if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
    try {
      rmSync(VENV, { recursive: true, force: true })
      await execute(found.command, ['-m', 'venv', VENV])
      await execute(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS])
    } catch (error) {
      return { ok: false, reason: `the packages could not be installed: ${lastLine(error)}` }
    }
    writeFileSync(stampFile, stamp)
  }
  return { ok: true, run: runProgram }
}

async function findPython(): Promise<{ readonly ok: true; readonly command: string; readonly version: string } | NoPython> {
  for (const command of ['python3', 'python']) {
    try {
      const { stdout } = await execute(command, ['-c', 'import ensurepip, sys, venv; print(sys.version)'])
      const [, major, minor] = /^(\d+)\.(\d+)/.exec(stdout) ?? []
      if (Number(major) === 3 && Number(minor) >= 10) return { ok: true, command, version: stdout }
    } catch {
      // Another name, or none.
    }
  }
  return { ok: false, reason: 'there is no Python 3.10 or newer with venv and pip' }
}

async function runProgram(program: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(GRAPHMIND|OTEL_|PYTHON)/.test(name))
  const { stdout } = await execute(PYTHON, [join(FOLDER, 'programs', program), ...args], {
    env: { ...Object.fromEntries(inherited), PYTHONDONTWRITEBYTECODE: '1', ...env },
    timeout: 60_000,
  })
  return stdout
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : String(error)
  return text.trim().split('\n').at(-1) ?? ''
}
