import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../testing/command-line.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let folder: string
let db: string

/** A run of an agent that calls these tools, as NDJSON. */
function runFile(runId: string, tools: readonly (readonly [name: string, output: unknown, durationMs: number])[]): string {
  const events: (readonly [string, object])[] = [
    ['run.started', { app: 'planner', sdk: { name: 'test', version: '1' }, meta: { name: runId } }],
    ['node.started', { nodeId: 'agent:planner', kind: 'agent', name: 'planner', instanceId: 'a' }],
  ]
  for (const [name, output, durationMs] of tools) {
    const call = { nodeId: `tool:${name}`, instanceId: name, parentInstanceId: 'a' }
    events.push(
      ['node.started', { ...call, kind: 'tool', name, input: {} }],
      ['node.finished', { ...call, output, durationMs, status: 'ok' }],
    )
  }
  events.push(
    ['node.finished', { nodeId: 'agent:planner', instanceId: 'a', durationMs: 900, status: 'ok' }],
    ['run.finished', { status: 'ok' }],
  )
  const file = join(folder, `${runId}.ndjson`)
  writeFileSync(
    file,
    events.map(([type, payload], seq) => JSON.stringify({ gm: 1, seq, ts: 1767225600000 + seq, runId, type, payload })).join('\n'),
  )
  return file
}

const graphmind = (...args: readonly string[]) => runCommandLine([...args, '--db', db])

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-diff-'))
  db = join(folder, 'graphmind.db')
  const files = [
    runFile('good', [
      ['search', 1, 100],
      ['convert', 296, 20],
    ]),
    runFile('slow', [
      ['search', 1, 2100],
      ['convert', 296, 20],
    ]),
    runFile('bad', [
      ['search', 1, 100],
      ['convert', 7776000, 520],
      ['check\u001b[2J', true, 1],
    ]),
  ]
  expect(await graphmind('import', ...files)).toMatchObject({ exitCode: 0 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('ends with 0 for runs that did the same, however long it took', async () => {
  const { exitCode, out } = await graphmind('diff', 'good', 'slow')
  expect(exitCode).toBe(0)
  expect(out).toMatch(/The runs are the same: 3 same\.$/)
})

it('ends with 1 for runs that differ, and shows where', async () => {
  const { exitCode, out } = await graphmind('diff', 'good', 'bad')
  expect(exitCode).toBe(1)
  expect(out.split('\n')).toEqual([
    '- good  good: ok, 3 calls, 0 failed, 7 ms',
    '+ bad  bad: ok, 4 calls, 0 failed, 9 ms',
    '',
    '~   tool:convert  output  +500 ms',
    '+   tool:check\ufffd[2J',
    '',
    'The runs differ: 2 same, 1 changed, 1 right only.',
  ])
  expect((await graphmind('diff', 'good', 'bad', '--all')).out).toContain('\n    tool:search\n')
})

it('gives what GET /api/compare answers with --json', async () => {
  const { exitCode, out } = await graphmind('diff', 'good', 'bad', '--json')
  expect(exitCode).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    isSame: false,
    counts: { same: 2, changed: 1, 'left-only': 0, 'right-only': 1 },
    left: { run: { id: 'good' } },
  })
})

it('ends with 2 when there is nothing to compare, and names the latest runs', async () => {
  expect(await graphmind('diff', 'good', 'nobody')).toMatchObject({ exitCode: 2, err: expect.stringContaining('The latest are:') })
  expect(await runCommandLine(['diff', 'a', 'b', '--db', join(folder, 'none.db')])).toMatchObject({ exitCode: 2 })
})
