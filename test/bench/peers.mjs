import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/bench-peers', import.meta.url))

/** What is measured beside us, at the versions that the figures in the documents are from. All are Apache-2.0. */
const PEERS = {
  genkit: { package: '@genkit-ai/telemetry-server', version: '1.43.0', others: [] },
  sideseat: { package: 'sideseat', version: '1.0.13', others: [] },
  // 4.11.8 answers 500 to everything with hono 4.13, which a plain install takes.
  spotlight: { package: '@spotlightjs/spotlight', version: '4.11.8', others: ['hono@4.12.25'] },
}

/** The folder that holds a peer's node_modules. */
export const peerFolder = (name) => join(CACHE, name)

export const peerVersion = (name) => JSON.parse(readFileSync(packageFile(name), 'utf8')).version

const packageFile = (name) => join(peerFolder(name), 'node_modules', PEERS[name].package, 'package.json')

/** Installs a peer into a folder of its own, outside the project's own packages; throws when that fails. */
export function installPeer(name) {
  const peer = PEERS[name]
  if (peer === undefined || existsSync(packageFile(name))) return
  const folder = peerFolder(name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  console.error(`Installing ${peer.package} ${peer.version} to compare with …`)
  const packages = [`${peer.package}@${peer.version}`, ...peer.others]
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}
