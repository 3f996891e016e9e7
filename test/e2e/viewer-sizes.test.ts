import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { root } from '../support/process.ts'

// What a browser has to fetch, compressed; the limits are the viewer's budgets.
const SHELL_LIMIT = 230_000
const PART_LIMIT = 150_000

const viewer = join(root, 'collector', 'viewer-dist')
const sizeOf = (name: string) => gzipSync(readFileSync(join(viewer, 'assets', name))).byteLength

/** The file and what it imports before it runs, and so on; not what it loads later. */
function withImports(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(join(viewer, 'assets', name), 'utf8')
  for (const [, imported = ''] of text.matchAll(/(?:^|[;}])(?:import|export)\s*(?:[^"'()]*?from\s*)?["']\.\/([^"']+\.js)["']/g))
    withImports(imported, found)
  return found
}

const shell = () => {
  const page = readFileSync(join(viewer, 'index.html'), 'utf8')
  const files = new Set<string>()
  for (const [, name = ''] of page.matchAll(/assets\/([^"]+\.js)"/g)) withImports(name, files)
  return files
}

it('starts with at most 230 KB of script', () => {
  const files = [...shell()]
  expect(files.length).toBeGreaterThan(0)
  expect(files.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThan(SHELL_LIMIT)
})

it('loads at most 150 KB of script for each part that is opened later, with all that the part needs', () => {
  const started = shell()
  const all = readdirSync(join(viewer, 'assets')).filter((name) => name.endsWith('.js'))
  const opened = all.flatMap((name) =>
    [...readFileSync(join(viewer, 'assets', name), 'utf8').matchAll(/import\([`"']\.\/([^`"']+\.js)[`"']\)/g)].map(([, part = '']) => part),
  )
  const sizes = [...new Set(opened)].map((part) => {
    const files = [...withImports(part)].filter((name) => !started.has(name))
    return { part, bytes: files.reduce((sum, name) => sum + sizeOf(name), 0) }
  })
  expect(sizes.length).toBeGreaterThan(3)
  expect(sizes.filter(({ bytes }) => bytes > PART_LIMIT)).toEqual([])
})
