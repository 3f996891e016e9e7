// The main job: collector and viewer, and the demo agent that runs into its planted bug. Ctrl+C stops both.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { installFromLockfile } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { bin, environment, main, root } from './lib/run.mjs'

const node = requireNode(bin('node'))
const demoFolder = join(root, 'examples', 'demo-agent')

/** Starts `graphmind serve` and resolves with its address once it answers. */
function startCollector(args) {
  const child = spawn(node, [join(root, 'collector', 'bin', 'graphmind.js'), 'serve', ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const url = new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      console.log(line)
      const address = /http:\/\/\S+:\d+/.exec(line)
      if (address) resolve(address[0])
    })
    child.on('error', reject)
    child.on('exit', () => reject(new Error('The collector did not start: see above.')))
  })
  return { child, url }
}

await main(async () => {
  await installFromLockfile(demoFolder)
  const collector = startCollector(process.argv.slice(2))
  let stopping = false
  const stop = () => {
    stopping = true
    collector.child.kill('SIGTERM')
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const ended = new Promise((resolve) => collector.child.once('exit', (code) => resolve(code ?? 0)))

  const url = await collector.url
  console.log('Starting the demo agent. It runs into a planted bug and waits for you in the viewer.')
  const demo = spawn(node, ['agent.mjs'], {
    cwd: demoFolder,
    env: { ...environment, GRAPHMIND_URL: `${url.replace('http', 'ws')}/ingest` },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  demo.once('exit', (code, signal) => {
    if (stopping || collector.child.exitCode !== null) return
    console.log(signal ? `The demo agent was stopped (${signal}).` : `The demo agent ended with exit code ${code}.`)
    console.log('The collector goes on; Ctrl+C stops it. Run the demo once more with: npm run example -- demo-agent')
  })
  const code = await ended
  if (demo.exitCode === null) demo.kill('SIGTERM')
  return code
})
