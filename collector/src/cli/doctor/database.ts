import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../problem.ts'
import { checkSchema } from '../../store/migrate.ts'
import { type Check, fine, note, problem } from './check.ts'

const NAME = 'database'

/** Whether the database can be used. Opens it for reading only, and makes nothing. */
export function checkDatabase(path: string): Check {
  if (!existsSync(path)) return checkFolder(path)
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch {
    return problem(NAME, `${path} can’t be written.`, `chmod u+rw ${path}, or name another file with --db or GRAPHMIND_DB`)
  }
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const fits = checkSchema(database, path)
      if (!fits.ok) return problem(NAME, fits.problem.message, 'Update GraphMind, or name another file with --db or GRAPHMIND_DB.')
    } finally {
      database.close()
    }
  } catch (error) {
    return problem(NAME, `${path} can’t be read: ${messageOf(error)}.`, 'Move the file away; a new one is made at the next start.')
  }
  return checkPrivacy(path)
}

function checkFolder(path: string): Check {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return fine(NAME, `${path} is made at the first start.`)
  } catch {
    return problem(NAME, `${path} can’t be made: ${folder} can’t be written.`, 'Name another file with --db or GRAPHMIND_DB.')
  }
}

function checkPrivacy(path: string): Check {
  const { mode, size } = statSync(path)
  const megabytes = (size / 1024 / 1024).toFixed(1)
  // Windows has no such bits.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return note(NAME, `Other users of this machine can read ${path}: it holds prompts and answers.`, `chmod 600 ${path}`)
  return fine(NAME, `${path}, ${megabytes} MB`)
}
