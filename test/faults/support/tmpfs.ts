import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** Mounts it again with other options, such as another size. */
  remount(options: string): void
  remove(): void
}

/** A disk of its own in memory; undefined where this user may not mount one. */
export function mountTmpfs(options: string): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-disk-'))
  const mount = (...args: readonly string[]) => execFileSync('mount', [...args, folder], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', options, 'tmpfs')
  } catch {
    // Only root may, and not in every container.
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    remount: (changed) => mount('-o', `remount,${changed}`),
    remove: () => {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const NO_TMPFS = 'this user may not mount a tmpfs (run as root on Linux)'
