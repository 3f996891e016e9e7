// Run by check-packages.mjs in a folder where the packages are installed: loads each both ways, starts the server, sends a span.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
for (const name of process.argv.slice(2)) {
  const imported = await import(name)
  const required = require(name)
  for (const key of Object.keys(imported)) if (!(key in required)) throw new Error(`require('${name}') lacks ${key}.`)
}

const TRACE = '5b8efff798038103d269b633813fc60c'
const trace = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'first-use' } }] },
      scopeSpans: [
        {
          scope: { name: 'try' },
          spans: [
            {
              traceId: TRACE,
              spanId: 'eee19b7ec3c1b174',
              name: 'chat',
              kind: 1,
              startTimeUnixNano: '1767225600000000000',
              endTimeUnixNano: '1767225601000000000',
            },
          ],
        },
      ],
    },
  ],
}

const folder = mkdtempSync(join(tmpdir(), 'graphmind-first-use-'))
const bin = join('node_modules', 'graphmind-ai', 'bin', 'graphmind.js')
const started = performance.now()
const server = spawn(
  process.execPath,
  [bin, 'serve', '--port', '0', '--json', '--no-open', '--no-otlp-ports', '--db', join(folder, 'graphmind.db')],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const ended = new Promise((resolve) => server.once('exit', resolve))
try {
  const line = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data)))
    server.once('exit', () => reject(new Error('The server ended before it was ready.')))
  })
  const ready = Math.round(performance.now() - started)
  const { url } = JSON.parse(line)
  const taken = await fetch(`${url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(trace),
  })
  if (taken.status !== 200) throw new Error(`The first request was answered with ${taken.status}.`)
  const { status } = await fetch(`${url}/api/runs/${TRACE}`)
  if (status !== 200) throw new Error(`The run is not there: ${status}.`)
  const { hits } = await searched(url)
  if (hits[0]?.runId !== TRACE) throw new Error('The span is not found by its name.')
  const page = await (await fetch(url)).text()
  if (!page.includes('<div id="root">')) throw new Error('The viewer is not in the package.')
  console.log(`${process.argv.length - 2} packages required and imported, ready in ${ready} ms, first request answered`)
} finally {
  server.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

/** The index is filled a moment after a span was stored. */
async function searched(url) {
  for (;;) {
    const found = await (await fetch(`${url}/api/search?q=chat`)).json()
    if (found.error !== undefined || (found.index.events > 0 && found.index.waiting === 0)) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
