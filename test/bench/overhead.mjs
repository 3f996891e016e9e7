// What the processor costs a program that has telemetry already: the SDK with a batch processor and an OTLP/protobuf exporter to a sink,
// against the same with GraphMindSpanProcessor beside it. Both in one process, in turns, behind the API's own provider for ours.
//   detached             no collector anywhere
//   attached, no match   the real collector, one breakpoint that never matches; every call has other arguments
// `CPU` is all processor time of the program per span, exports and garbage collection included; `call` is how long the caller waits for
// an awaited span. npm run bench:overhead -- [rounds]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'

const rounds = process.argv[2] ?? '40'
const root = fileURLToPath(new URL('../..', import.meta.url))

const sink = createServer((request, response) => request.resume().on('end', () => response.end())).listen(0, '127.0.0.1')
await once(sink, 'listening')
try {
  await measure('detached', { GRAPHMIND_URL: 'ws://127.0.0.1:1/ingest' })
  await withCollector((url) => measure('attached, no match', { GRAPHMIND_URL: `${url.replace('http', 'ws')}/ingest` }))
} finally {
  sink.close()
}

async function measure(label, env) {
  for (const kind of ['tool', 'other']) {
    const program = spawn(process.execPath, [join(root, 'test/bench/overhead-agent.mjs'), `${label}, ${kind} span`, kind, rounds], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${sink.address().port}/v1/traces` },
    })
    const [code] = await once(program, 'exit')
    if (code !== 0) throw new Error(`The measured program ended with ${code}.`)
  }
}

async function withCollector(work) {
  const folder = mkdtempSync(join(tmpdir(), 'graphmind-overhead-'))
  const options = ['--port', '0', '--json', '--no-open', '--no-otlp-ports', '--db', join(folder, 'g.db')]
  const collector = spawn(process.execPath, [join(root, 'collector/bin/graphmind.js'), 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [first] = await once(createInterface({ input: collector.stdout }), 'line')
    const { url } = JSON.parse(first)
    const viewer = new WebSocket(`${url.replace('http', 'ws')}/ws/ui`)
    await once(viewer, 'open')
    viewer.send(JSON.stringify({ type: 'breakpoint.set', payload: { matcher: { kind: 'tool', name: 'another' } } }))
    await work(url)
    viewer.close()
  } finally {
    collector.kill()
    await once(collector, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}
