// Builds every package and the viewer; what is up to date is left alone.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bundleCollector, bundleIsStale } from './lib/bundle.mjs'
import { bin, main, root, run } from './lib/run.mjs'

const newest = (path) => {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0)
}

function viewerIsStale() {
  const built = join(root, 'collector', 'viewer-recorded', 'viewer.js')
  if (!existsSync(built) || !existsSync(join(root, 'collector', 'viewer-dist', 'index.html'))) return true
  const inputs = [
    'viewer/src',
    'viewer/index.html',
    'viewer/vite.config.ts',
    'viewer/vite.recorded.config.ts',
    'viewer/package.json',
    'control/schema/src',
    'package-lock.json',
  ]
  return inputs.some((input) => newest(join(root, input)) > statSync(built).mtimeMs)
}

await main(async () => {
  await run(bin('tsc'), ['--build'])
  if (bundleIsStale()) await bundleCollector()
  if (viewerIsStale()) {
    for (const config of ['vite.config.ts', 'vite.recorded.config.ts'])
      await run(bin('vite'), ['build', '--logLevel', 'warn', '--config', config], { cwd: join(root, 'viewer') })
  }
})
