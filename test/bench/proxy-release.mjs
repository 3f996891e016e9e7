// How fast a held MCP call goes on when the debugger is killed: SIGKILL of the collector → the client has the answer, ms.
// Without a proxy the same call takes what `plain` says. node test/bench/proxy-release.mjs [rounds]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'

const root = fileURLToPath(new URL('../..', import.meta.url))
const rounds = Number(process.argv[2] ?? 20)
const graphmind = `${root}collector/bin/graphmind.js`
const server = `${root}collector/src/proxies/testing/mcp-server.mjs`
const control = (type, payload) =>
  JSON.stringify({ type: 'control', envelope: { gm: 1, seq: 0, ts: Date.now(), runId: '*', type, payload } })

/** A server, behind the proxy when `port` is given, and its lines. */
function startServer(port) {
  const args =
    port === undefined ? [server] : [graphmind, 'mcp-proxy', '--wait-for-attach', '--port', String(port), '--', process.execPath, server]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  return { child, lines: createInterface({ input: child.stdout }) }
}

const call = (id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { n: id } } })}\n`

async function plainCall() {
  const { child, lines } = startServer(undefined)
  child.stdin.write(call(0))
  await once(lines, 'line')
  const startedAt = performance.now()
  child.stdin.write(call(1))
  await once(lines, 'line')
  const took = performance.now() - startedAt
  child.kill()
  return took
}

async function releasedCall() {
  const collector = spawn(
    process.execPath,
    [graphmind, 'serve', '--port', '0', '--db', ':memory:', '--no-open', '--no-otlp-ports', '--json'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const [first] = await once(createInterface({ input: collector.stdout }), 'line')
  const { port } = JSON.parse(first)
  const viewer = new WebSocket(`ws://127.0.0.1:${port}/ws/ui`)
  await once(viewer, 'open')
  viewer.send(control('breakpoint.set', { matcher: { kind: 'tool' } }))
  viewer.on('error', () => undefined)
  const { child, lines } = startServer(port)
  child.stdin.write(call(1))
  for (;;) {
    const { pauses } = await (await fetch(`http://127.0.0.1:${port}/api/pauses?wait=5`)).json()
    if (pauses.length > 0) break
  }
  const answered = once(lines, 'line')
  const killedAt = performance.now()
  collector.kill('SIGKILL')
  await answered
  const took = performance.now() - killedAt
  child.kill()
  return took
}

const quantile = (values, q) => values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * q))]
const shown = (values) =>
  `p50 ${quantile(values, 0.5).toFixed(1)}  p95 ${quantile(values, 0.95).toFixed(1)}  max ${Math.max(...values).toFixed(1)}`

const plain = []
const released = []
for (let round = 0; round < rounds; round += 1) {
  plain.push(await plainCall())
  released.push(await releasedCall())
}
console.log(`plain     ${shown(plain)} ms`)
console.log(`released  ${shown(released)} ms`)
