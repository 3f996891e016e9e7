import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type Program, root, startProgram } from './process.ts'

/** For programs whose first call must be held however slow the machine is. */
export const WAIT_FOR_ATTACH = { GRAPHMIND_WAIT_FOR_ATTACH_MS: '30000' }

/** Installs an example from its lockfile (once) and starts it the documented way. */
export function startExample(name: string, env: Record<string, string>, args: readonly string[] = []): Program {
  return startProgram([join(root, 'scripts', 'example.mjs'), name, ...args], { env })
}

/** Installs an example without running it, so that its start is not part of what a test waits for. */
export function installExample(name: string): void {
  execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `await (await import('./scripts/lib/install.mjs')).installFromLockfile('examples/${name}')`],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
}
