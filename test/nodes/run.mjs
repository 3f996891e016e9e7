// The preload under the oldest and the newest Node that GraphMind supports, beside the one of the workspace: npm run test:nodes
// npm test runs the same with the workspace's Node alone. Each Node comes from its package into node_modules/.cache/nodes.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bin, environment, exitCodeOf, main, root, run } from '../../scripts/lib/run.mjs'

const VERSIONS = ['22.15.0', '24.21.0', '26.12.1']
const SYSTEM = process.platform === 'win32' ? 'win' : process.platform
const PACKAGE = `node-${SYSTEM}-${process.arch}`

await main(async () => {
  const nodes = []
  for (const version of VERSIONS) nodes.push(await install(version))
  return exitCodeOf(bin('vitest'), ['run', '--project', 'e2e', 'test/nodes'], { env: { ...environment, NODES: nodes.join(':') } })
})

async function install(version) {
  const folder = join(root, 'node_modules', '.cache', 'nodes', version)
  const node = join(folder, 'node_modules', PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true })
    await run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `${PACKAGE}@${version}`])
  }
  return node
}
