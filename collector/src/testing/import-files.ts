import { readdirSync, readFileSync } from 'node:fs'

const FOLDERS = ['../../../test/cases/', '../import/fixtures/'].map((path) => new URL(path, import.meta.url))

/** The content of a file of every format that imports read, and of some that they don't. */
export function importFiles(): readonly Buffer[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name) && entry.name !== 'expect.json')
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`)),
  )
}
