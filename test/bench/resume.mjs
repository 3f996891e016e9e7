// How long a released call waits to go on: from the viewer's message to the gate's answer in the program, while the collector is idle and while
// exporters send all they can.
//   npm run bench:resume -- [holds]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createSession } from '@graphmind-ai/client'
import { spread } from './driver/figures.mjs'
import { getJson } from './driver/http.mjs'
import { start, stop } from './driver/process.mjs'
import graphmind from './targets/graphmind.mjs'

const holds = Number(process.argv[2] ?? 200)
const folder = mkdtempSync(join(tmpdir(), 'graphmind-resume-'))
const running = await start(graphmind, folder)
const socketAddress = running.base.replace('http', 'ws')
const session = createSession({
  url: `${socketAddress}/ingest`,
  enabled: true,
  loopGuard: false,
  env: {},
  logger: { warn: () => undefined },
})
const viewer = new WebSocket(`${socketAddress}/ws/ui`)
const load = fileURLToPath(new URL('resume-load.mjs', import.meta.url))

try {
  await Promise.all([
    session.ready({ timeoutMs: 10_000 }),
    new Promise((resolve) => viewer.addEventListener('open', resolve, { once: true })),
  ])
  console.log(JSON.stringify({ load: 'none', ...(await measured()) }))
  const exporters = spawn(process.execPath, [load, running.base], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = createInterface({ input: exporters.stdout })[Symbol.asyncIterator]()
  await said.next()
  const under = await measured()
  exporters.kill('SIGTERM')
  console.log(JSON.stringify({ load: JSON.parse((await said.next()).value), ...under }))
} finally {
  viewer.close()
  await session.dispose()
  await stop(running)
  rmSync(folder, { recursive: true, force: true })
}

async function measured() {
  const times = []
  await session.run('resume', async ({ runId }) => {
    for (let call = 0; call < holds; call++) {
      const node = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: `call-${call}` }
      const released = session.gate('error', node, { error: { name: 'Error', message: 'held' } })
      const { json } = await getJson(`${running.base}/api/pauses?runId=${runId}&wait=10`)
      const payload = { pauseId: json.pauses[0].payload.pauseId, action: 'continue' }
      const begun = performance.now()
      viewer.send(JSON.stringify({ type: 'control', envelope: { gm: 1, seq: 0, ts: Date.now(), runId, type: 'exec.resume', payload } }))
      await released
      times.push(performance.now() - begun)
    }
  })
  const p99 = times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1]
  return { releaseMs: { ...spread(times), p99: Number(p99.toFixed(2)) } }
}
