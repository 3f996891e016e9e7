import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { installExample, WAIT_FOR_ATTACH } from '../support/examples.ts'
import { root, startProgram } from '../support/process.ts'
import { ViewerScript } from '../support/viewer-script.ts'

const FOLDER = join(root, 'examples', 'beside-others')
const PRELOAD = ['--import', '@graphmind-ai/otel/register']
/** Ids, times and what names the process: everything else of two runs of one program is the same. */
const DIFFERENT = new Set(['traceId', 'spanId', 'parentSpanId', 'startTimeUnixNano', 'endTimeUnixNano', 'timeUnixNano'])

let collector: RunningCollector
beforeAll(async () => {
  installExample('beside-others')
  collector = await startCollector(['--pause-on-error', 'off'])
})
afterAll(() => collector.stop())

/** Runs the program; answers what it printed and what Langfuse and the other collector got, by path. */
async function run(args: readonly string[]) {
  const bodies = new Map<string, unknown[]>()
  const sink = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
    const path = request.url ?? ''
    bodies.set(path, [...(bodies.get(path) ?? []), JSON.parse(text)])
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(sink, 'listening')
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`
  try {
    const program = startProgram([...args, 'agent.mjs'], {
      cwd: FOLDER,
      env: {
        LANGFUSE_BASE_URL: url,
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_SERVICE_NAME: 'weather',
        GRAPHMIND_URL: collector.ingestUrl,
        ...WAIT_FOR_ATTACH,
      },
    })
    expect(await program.exited, program.output()).toBe(0)
    return { output: program.output(), seen: Object.fromEntries([...bodies].map(([path, sent]) => [path, spansIn(sent)])) }
  } finally {
    sink.closeAllConnections()
    sink.close()
  }
}

/** All spans of the requests with their resource and scope, in an order of their own. */
function spansIn(requests: readonly unknown[]): readonly string[] {
  return requests
    .flatMap((request) =>
      (request as { resourceSpans: { resource: object; scopeSpans: { scope: object; spans: object[] }[] }[] }).resourceSpans.flatMap(
        ({ resource, scopeSpans }) => scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ resource, scope, span }))),
      ),
    )
    .map((span) => JSON.stringify(span, (key, value) => (DIFFERENT.has(key) ? typeof value : key === 'stringValue' ? plain(value) : value)))
    .sort()
}

// A stack names lines of whoever called.
const plain = (text: unknown) => (typeof text === 'string' && /\n\s+at /.test(text) ? text.split('\n', 1)[0] : text)

it('changes nothing of what Langfuse and a second OTLP exporter get, watched or held', async () => {
  const alone = await run([])
  expect(Object.keys(alone.seen).sort()).toEqual(['/api/public/otel/v1/traces', '/v1/traces'])
  expect(alone.seen['/v1/traces']).toHaveLength(3)
  const watched = await run(PRELOAD)
  expect(watched).toEqual(alone)
  const held: string[] = []
  const viewer = await ViewerScript.open(collector.url, [{ kind: 'tool' }, { point: 'error' }], ({ paused }) => {
    held.push(`${paused.name} ${paused.point}`)
    return { action: 'continue' }
  })
  try {
    const debugged = await run(PRELOAD)
    expect(held).toEqual(['get_weather before', 'get_news before', 'get_news error'])
    expect(debugged.seen).toEqual(alone.seen)
    expect(debugged.output).toContain(alone.output)
  } finally {
    viewer.close()
  }
  await eventually(async () => ((await collector.runs()).length === 2 ? true : undefined), 'the two runs')
})
