import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'

/** Installs a folder from its lockfile unless what is installed came from that very lockfile. */
export async function installFromLockfile(folder) {
  const modules = join(folder, 'node_modules')
  const stamp = join(modules, '.installed-from')
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  writeFileSync(stamp, lock)
}
