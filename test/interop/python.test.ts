import type { Envelope, RunInfo } from '@graphmind-ai/schema'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelServer, startModelServer } from './support/model-server.ts'
import { preparePython } from './support/python.ts'

const python = await preparePython()
if (!python.ok) console.warn(`Python is not tested: ${python.reason}.`)

describe.skipIf(!python.ok)(`Python programs${python.ok ? '' : ` (skipped: ${python.reason})`}`, () => {
  let collector: RunningCollector
  let model: ModelServer
  beforeAll(async () => {
    model = await startModelServer()
  })
  afterAll(() => model.stop())
  beforeEach(async () => {
    collector = await startCollector()
  })
  afterEach(() => collector.stop())

  /** Runs a program to its end; answers what it printed and what was stored of it. */
  async function run([program, ...args]: readonly [string, ...string[]], env: Record<string, string> = {}) {
    if (!python.ok) throw new Error(python.reason)
    const printed = await python.run(program, args, {
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'weather-app',
      MODEL_URL: model.url,
    })
    const stored = await eventually(async () => (await collector.runs()).find(({ status }) => status !== 'running'), 'a finished run')
    expect(await collector.runs()).toHaveLength(1)
    return { printed, run: stored, ...nodesOf(await collector.events(stored.id)) }
  }

  it.each(['http', 'grpc'])('show up through the %s exporter', async (exporter) => {
    const { run: stored, nodes } = await run(['plain.py', exporter])
    expect(stored).toMatchObject({ status: 'ok', category: 'agent', app: 'weather-app', sessionId: 'talk-1' } satisfies Partial<RunInfo>)
    expect(stored.usage).toMatchObject({ inputTokens: 31, outputTokens: 11 })
    expect(nodes.get('agent:planner')?.parent).toBeUndefined()
    expect(nodes.get('tool:get_weather')).toMatchObject({ parent: 'agent:planner', input: { city: 'Lima' } })
    expect(nodes.get('custom:lookup')).toMatchObject({ parent: 'tool:get_weather', error: { name: 'ValueError', message: 'no such city' } })
    expect(nodes.get('llm:step')).toMatchObject({ parent: 'agent:planner', output: expect.objectContaining({ text: 'Mild: 19 °C.' }) })
  })

  it.each([
    ['http', 'authorization=Bearer%20a-token-of-this-test'],
    ['http', 'authorization=Bearer a-token-of-this-test'],
    ['grpc', 'authorization=Bearer%20a-token-of-this-test'],
  ])('are let in by %s with the token that OTEL_EXPORTER_OTLP_HEADERS names: %s', async (exporter, headers) => {
    await collector.stop()
    collector = await startCollector([], { env: { GRAPHMIND_TOKEN: 'a-token-of-this-test' } })
    expect((await run(['plain.py', exporter], { OTEL_EXPORTER_OTLP_HEADERS: headers })).run.status).toBe('ok')
  })

  it.each([
    ['openinference_agent.py', 'agent:weather'],
    ['openllmetry_agent.py', 'chain:weather'],
  ])('are read in the words of %s', async (program, root) => {
    const { printed, run: stored, nodes, started } = await run([program])
    expect(printed.trim()).toBe('The tool said {"city": "Lima", "celsius": 19}')
    expect(stored).toMatchObject({ status: 'ok', category: 'agent', app: 'weather-app', models: [expect.stringContaining('scripted')] })
    expect(started).toEqual([root, 'llm:step', 'tool:get_weather', 'llm:step'])
    expect(stored.usage).toMatchObject({ inputTokens: 62, outputTokens: 22 })
    expect(nodes.get('tool:get_weather')?.parent).toBe(root)
    expect(nodes.get('llm:step')).toMatchObject({
      parent: root,
      model: 'scripted-1',
      output: expect.objectContaining({ text: 'The tool said {"city": "Lima", "celsius": 19}' }),
    })
  })
})

interface StoredNode {
  parent?: string | undefined
  readonly [field: string]: unknown
}

/** The last that was said of each node, its parent's node id, and the order in which they started. */
function nodesOf(events: readonly Envelope[]) {
  const byInstance = new Map<string, Record<string, unknown>>()
  for (const { type, payload } of events) {
    if (type !== 'node.started' && type !== 'node.finished' && type !== 'node.error') continue
    const fields = payload as Record<string, unknown>
    const id = String(fields['instanceId'])
    byInstance.set(id, { ...byInstance.get(id), ...fields })
  }
  const shown = [...byInstance.values()].sort((one, other) =>
    BigInt(String(one['startTimeUnixNano'])) < BigInt(String(other['startTimeUnixNano'])) ? -1 : 1,
  )
  const nodes = new Map<string, StoredNode>()
  for (const node of shown) {
    const parent = byInstance.get(String(node['parentInstanceId']))?.['nodeId']
    nodes.set(String(node['nodeId']), { ...node, parent: parent === undefined ? undefined : String(parent) })
  }
  return { nodes, started: shown.map((node) => String(node['nodeId'])) }
}
