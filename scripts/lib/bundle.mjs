import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './run.mjs'

const ENTRIES = { main: 'collector/dist/cli/main.js', worker: 'collector/dist/ingest/worker.js' }
const OUT = join(root, 'collector', 'bundle')
/** Packages whose code ends up in the bundle. */
const PARTS = ['control/schema', 'control/client', 'control/hub', 'mappings', 'collector']

/** True when the compiler has written anything since the collector was bundled. */
export function bundleIsStale() {
  const written = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs
  const bundled = written(join(OUT, 'main.js'))
  return bundled === undefined || PARTS.some((part) => (written(join(root, part, 'dist', '.tsbuildinfo')) ?? 0) > bundled)
}

/** Joins the built collector and what it depends on into a few files: looking up 800 modules is most of a cold start. */
export async function bundleCollector() {
  rmSync(OUT, { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(root, path)])),
    platform: 'node',
    resolve: { alias: { 'body-parser': join(root, 'scripts', 'lib', 'no-body-parser.cjs') } },
  })
  // Not minified: a stack in a bug report still tells where it comes from, and a smaller file started no sooner.
  // Every thread keeps the text of what it runs. LICENSES.txt has the terms that comments tell of.
  const { output } = await bundle.write({ dir: OUT, format: 'esm', comments: false })
  await bundle.close()
  for (const part of output) if (part.type === 'chunk') writeFileSync(join(OUT, part.fileName), ascii(part.code))
  writeFileSync(join(OUT, 'LICENSES.txt'), licences(output.flatMap(({ moduleIds }) => moduleIds ?? [])))
}

/** The same program in ASCII: V8 keeps a text with a single other character in two bytes for each, for as long as the program runs. */
function ascii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The licence of every package that a module comes from: its terms ask for it wherever its code goes. */
function licences(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/')) ?? []))
  return [...folders].sort().map(licenceOf).join('\n')
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}\n`
}
