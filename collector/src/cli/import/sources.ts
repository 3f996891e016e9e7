import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { stdin } from 'node:process'
import { failed, messageOf, ok, type Result } from '../../problem.ts'

/** Something to import. */
export interface Source {
  /** As the user named it. */
  readonly file: string
  /** Undefined for a stream whose length nobody knows. */
  readonly bytes: number | undefined
  open(): AsyncIterable<Uint8Array>
}

/** What these paths name: a file each, every file in a folder, `-` for stdin. A problem when one of them is not there. */
export async function sourcesOf(paths: readonly string[]): Promise<Result<readonly Source[]>> {
  const sources: Source[] = []
  for (const path of paths) {
    if (path === '-') {
      sources.push({ file: 'stdin', bytes: undefined, open: () => stdin })
      continue
    }
    try {
      const found = await stat(path)
      if (!found.isDirectory()) sources.push(fileSource(path, found.isFile() ? found.size : undefined))
      else for (const inside of await filesIn(path)) sources.push(fileSource(inside, (await stat(inside)).size))
    } catch (error) {
      return failed('import-file', unopened(path, error))
    }
  }
  return ok(sources)
}

function fileSource(path: string, bytes: number | undefined): Source {
  return { file: path, bytes, open: () => createReadStream(path, { highWaterMark: 128 * 1024 }) }
}

function unopened(path: string, error: unknown): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return isMissing ? `There is no file or folder ${path}.` : `${path} can't be opened: ${messageOf(error)}.`
}

/** All files of a folder and those below, in order of name, but for hidden ones. Links to files count, links to folders do not: they may lead back. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: string[] = []
  for (const entry of entries) {
    if (basename(entry.name).startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFile(path)))) files.push(path)
  }
  return files.sort()
}

async function leadsToFile(link: string): Promise<boolean> {
  try {
    return (await stat(link)).isFile()
  } catch {
    // It leads nowhere.
    return false
  }
}
