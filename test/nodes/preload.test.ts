import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCollector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/process.ts'
import { ViewerScript } from '../support/viewer-script.ts'

const PROGRAMS = join(root, 'test', 'nodes', 'programs')
/** Paths of the Nodes to test, with colons between: what `npm run test:nodes` installs. This one alone without it. */
const NODES = (process.env['NODES'] || process.execPath).split(':')

const execute = promisify(execFile)

describe.each(NODES)('the preload under %s', (node) => {
  let collector: RunningCollector
  let viewer: ViewerScript
  beforeAll(async () => {
    const { stdout } = await execute(node, ['--version'])
    console.log(`Node ${stdout.trim()}`)
    collector = await startCollector(['--pause-on-error', 'off'])
    viewer = await ViewerScript.open(collector.url, [{ kind: 'tool' }], () => ({ action: 'inject', output: 'typed by hand' }))
  })
  afterAll(async () => {
    viewer.close()
    await collector.stop()
  })

  const start = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { stdout, stderr } = await execute(node, args, {
      cwd: PROGRAMS,
      env: { PATH: process.env['PATH'] ?? '', GRAPHMIND_URL: collector.ingestUrl, GRAPHMIND_WAIT_FOR_ATTACH_MS: '20000', ...env },
    })
    return { stdout, stderr: stderr.replace(/^\[graphmind\] HOLDING .*\n/gm, '') }
  }

  it.each([
    ['an ES module', ['--import', '@graphmind-ai/otel/register', 'agent.mjs'], {}],
    ['a CommonJS program', ['--import', '@graphmind-ai/otel/register', 'agent.cjs'], {}],
    ['a program of NODE_OPTIONS', ['agent.mjs'], { NODE_OPTIONS: '--import @graphmind-ai/otel/register' }],
  ])('holds the tool of %s, which ends by itself', async (_name, args, env) => {
    const before = (await collector.runs()).length
    expect(await start(args, env)).toEqual({ stdout: 'weather: typed by hand\n', stderr: '' })
    const [run] = await eventually(async () => {
      const runs = await collector.runs()
      return runs.length === before + 1 && runs[0]?.status === 'ok' ? runs : undefined
    }, 'the finished run')
    const events = await collector.events(run?.id ?? '')
    const nodes = events.flatMap(({ type, payload }) => (type === 'node.started' ? [(payload as { nodeId: string }).nodeId] : []))
    expect(new Set(nodes)).toEqual(new Set(['agent:weather', 'tool:get_weather']))
  })

  it('costs a program nothing under a kill switch', async () => {
    const env = { GRAPHMIND_DISABLED: '1' }
    expect(await start(['--import', '@graphmind-ai/otel/register', 'agent.mjs'], env)).toEqual({
      stdout: 'weather: really asked\n',
      stderr: '',
    })
  })
})
