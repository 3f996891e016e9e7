import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const NEEDED = [22, 15]

/**
 * The Node to run everything with: the one the root package brings on Linux x64, else the machine's own.
 * Throws one sentence when that is too old.
 */
export function requireNode(bundled) {
  const node = existsSync(bundled) ? bundled : process.execPath
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]))
    throw new Error(`GraphMind needs Node ${NEEDED.join('.')} or newer, this is ${version}. Install a newer Node and try again.`)
  return node
}
