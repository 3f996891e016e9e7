import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSession, type GateDecision, type GateOptions, type Session } from '@graphmind-ai/client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Collector } from '../../collector.ts'
import { testCollector } from '../../testing/collector.ts'
import { type Ran, runCommandLine } from '../../testing/command-line.ts'
import { pauseRow, reasonWords } from './pauses.ts'
import { MAX_PRINTED_BYTES } from './value-file.ts'

let collector: Collector
let session: Session
// Every command is a start of its own; a busy machine needs longer than the default for a story of several.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

beforeAll(async () => {
  collector = await testCollector({ breakpoints: [{ point: 'before' }, { point: 'error' }] })
  const logger = { warn: () => undefined }
  session = createSession({ url: `${collector.url.replace('http', 'ws')}/ingest`, appName: 'app', enabled: true, env: {}, logger })
  await session.ready()
})
afterEach(async () => {
  for (const { runId, pauseId } of JSON.parse((await graphmind('pauses', '--json')).out).pauses)
    await graphmind('resume', pauseId, '--run', runId, '--action', 'continue')
})
afterAll(async () => {
  await session.dispose()
  await collector.stop()
})

const graphmind = (...args: readonly string[]): Promise<Ran> => runCommandLine([...args, '--port', String(collector.port)])

/** A program whose call is held; `decided` is what it was told. */
function heldCall(options: GateOptions = { input: { city: 'Lisbon' } }) {
  const held = Promise.withResolvers<string>()
  const decided = Promise.withResolvers<GateDecision>()
  const ended = session
    .run('trip', async ({ runId }) => {
      held.resolve(runId)
      session.emit('node.started', { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1', input: options.input })
      decided.resolve(await session.gate('before', { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'call-1' }, options))
    })
    .catch(() => undefined)
  return { runId: held.promise, decided: decided.promise, ended }
}

async function heldPause(options?: GateOptions) {
  const { decided } = heldCall(options)
  const { out } = await graphmind('wait', '--json')
  return { ...(JSON.parse(out) as { readonly pauseId: string; readonly runId: string; readonly resume: readonly string[] }), decided }
}

describe('graphmind pauses', () => {
  it('says that nothing is held, and what waits', async () => {
    expect(await graphmind('pauses')).toEqual({ exitCode: 0, err: '', out: 'Nothing is held. graphmind wait waits until something is.' })
    expect(JSON.parse((await graphmind('pauses', '--json')).out)).toEqual({ pauses: [] })
  })

  it('lists what is held as a table and as JSON, of one run when asked', async () => {
    const { runId, pauseId } = await heldPause()
    const { out } = await graphmind('pauses')
    expect(out.split('\n')[0]).toMatch(/^RUN +PAUSE +NODE +POINT +REASON +STATE +SINCE$/)
    expect(out).toMatch(new RegExp(`^${runId} +${pauseId} +tool:search +before +breakpoint +open +\\d s ago$`, 'm'))
    const row = { runId, pauseId, node: 'tool:search', point: 'before', reason: 'breakpoint', state: 'open', since: expect.any(Number) }
    expect(JSON.parse((await graphmind('pauses', '--json')).out)).toMatchObject({ pauses: [row] })
    expect(JSON.parse((await graphmind('pauses', '--json', '--run', 'another')).out)).toEqual({ pauses: [] })
  })

  it('says which rule of the agent’s own held a call', async () => {
    void session.run('trip', () =>
      session.gate('after', { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'c' }, { output: { success: false } }),
    )
    expect((await graphmind('wait')).out).toContain('at its after gate (breakpoint: error-result), in run')
    expect((await graphmind('pauses')).out).toMatch(/ after +breakpoint: error-result +open /)
    expect(JSON.parse((await graphmind('pauses', '--json')).out)).toMatchObject({ pauses: [{ reason: 'breakpoint', why: 'error-result' }] })
  })

  it.each([
    [{ reason: 'loop', loop: { kind: 'cycle' } }, 'cycle', 'loop: cycle'],
    [{ reason: 'loop', loop: { repeats: 3 } }, 'repeat', 'loop: repeat'],
    [{ reason: 'step' }, undefined, 'step'],
  ])('tells %j apart', (payload, why, words) => {
    const row = pauseRow({ runId: 'r', pauseId: 'p', nodeId: 'tool:a', point: 'before', state: 'open', since: 1, payload })
    expect(row.why).toBe(why)
    expect(reasonWords(row)).toBe(words)
  })
})

describe('graphmind wait', () => {
  it('ends when a call is held, with its input and a command for each action', async () => {
    const waiting = graphmind('wait')
    const { runId, decided } = heldCall()
    const { exitCode, out } = await waiting
    expect(exitCode).toBe(0)
    expect(out).toContain(`Held: tool:search at its before gate (breakpoint), in run ${await runId}`)
    expect(out).toContain('"city": "Lisbon"')
    for (const action of ['continue', 'inject', 'abort'])
      expect(out).toMatch(new RegExp(`  graphmind resume p-\\S+ --run \\S+ --action ${action}`))
    const line = out.split('\n').find((text) => text.endsWith('--action continue')) ?? ''
    const [, ...args] = line.trim().split(' ')
    expect(await graphmind(...args)).toMatchObject({ exitCode: 0 })
    expect(await decided).toEqual({ action: 'continue' })
  })

  it('puts a long value into a file that only its user can read', async () => {
    const short = 'x'.repeat(MAX_PRINTED_BYTES - 2)
    heldCall({ input: short })
    const first = JSON.parse((await graphmind('wait', '--json')).out)
    expect(first).toMatchObject({ input: short })
    await graphmind('resume', first.pauseId, '--action', 'continue')
    heldCall({ input: `${short}x` })
    const { inputFile, input } = JSON.parse((await graphmind('wait', '--json')).out)
    expect(input).toBeUndefined()
    expect(JSON.parse(readFileSync(inputFile, 'utf8'))).toBe(`${short}x`)
    expect(statSync(inputFile).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(inputFile)).mode & 0o777).toBe(0o700)
    rmSync(dirname(inputFile), { recursive: true })
  })

  it('ends with 2 when the time is over', async () => {
    expect(await graphmind('wait', '--timeout', '1')).toMatchObject({ exitCode: 2, err: expect.stringContaining('within 1 seconds') })
  })

  it('ends with 4 when the run it waits for is over', async () => {
    const { runId, ended } = heldCall()
    const { pauseId } = JSON.parse((await graphmind('wait', '--json')).out)
    await graphmind('resume', pauseId, '--action', 'continue')
    await ended
    expect(await graphmind('wait', '--run', await runId, '--timeout', '20')).toMatchObject({
      exitCode: 4,
      err: expect.stringContaining('has ended (ok)'),
    })
  })

  it('keeps control characters of a program away from the terminal', async () => {
    session.emit('node.started', { nodeId: 'tool:x', kind: 'tool', name: 'x', instanceId: 'x' })
    void session.gate('before', { nodeId: 'tool:\u001b]0;owned\u0007', kind: 'tool', name: 'x', instanceId: 'x' }, { input: 'a\u009bb' })
    const { out } = await graphmind('wait')
    expect(out).toContain('tool:\ufffd]0;owned\ufffd')
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
})

describe('graphmind resume', () => {
  it('injects a value, given as JSON or in a file', async () => {
    const first = await heldPause()
    expect(await graphmind('resume', first.pauseId, '--action', 'inject', '--output', '{"n":1}')).toMatchObject({ exitCode: 0 })
    expect(await first.decided).toEqual({ action: 'inject', output: { n: 1 } })
    const second = await heldPause()
    const file = join(tmpdir(), `graphmind-value-${process.pid}.json`)
    writeFileSync(file, '"from a file"')
    expect(
      await graphmind('resume', second.pauseId, '--run', second.runId, '--action', 'inject', '--output', `@${file}`, '--json'),
    ).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('"outcome":"resumed"'),
    })
    rmSync(file)
    expect(await second.decided).toEqual({ action: 'inject', output: 'from a file' })
  })

  it('changes the input and names who did it', async () => {
    const { pauseId, runId, decided } = await heldPause({ input: { city: 'Lisbon', nights: 2 }, editable: true })
    expect(await graphmind('resume', pauseId, '--action', 'continue', '--input', '{"nights":3}', '--operator', 'ci')).toMatchObject({
      exitCode: 0,
    })
    expect(await decided).toEqual({ action: 'continue', input: { city: 'Lisbon', nights: 3 } })
    // The program sent its record of the run already; the store has it a moment later.
    await vi.waitFor(async () => {
      const answer = await fetch(`${collector.url}/api/runs/${runId}/events?limit=100`)
      expect(await answer.text()).toContain('"operator":"ci"')
    }, 20_000)
  })

  it('ends with 6 when the program refuses, and the call stays held', async () => {
    const { pauseId } = await heldPause()
    const refused = await graphmind('resume', pauseId, '--action', 'inject', '--output', '"__REDACTED__"')
    expect(refused).toMatchObject({ exitCode: 6, err: expect.stringContaining('still held') })
    expect((await graphmind('pauses')).out).toContain(pauseId)
  })

  it('ends with 4 for a call that is not held, and with 7 for one that someone let go', async () => {
    const { pauseId, runId } = await heldPause()
    await graphmind('resume', pauseId, '--action', 'continue')
    expect(await graphmind('resume', pauseId, '--action', 'continue')).toMatchObject({
      exitCode: 4,
      err: expect.stringContaining('graphmind pauses'),
    })
    expect(await graphmind('resume', pauseId, '--run', runId, '--action', 'continue')).toMatchObject({ exitCode: 7 })
    expect(await graphmind('resume', 'p-unknown', '--run', runId, '--action', 'continue')).toMatchObject({ exitCode: 4 })
  })

  it('lets one of two win and tells the other with 7, or with 4 when the first is through', async () => {
    const { pauseId } = await heldPause()
    const both = await Promise.all([
      graphmind('resume', pauseId, '--action', 'continue'),
      graphmind('resume', pauseId, '--action', 'abort'),
    ])
    const codes = both.map(({ exitCode }) => exitCode).sort()
    expect(codes[0]).toBe(0)
    expect([4, 7]).toContain(codes[1])
  })

  it.each([
    [['--action', 'go'], 'continue, retry, inject, abort'],
    [['--action', 'inject'], '--output'],
    [['--action', 'inject', '--output', 'text'], 'A text needs its quotes'],
    [['--action', 'continue', '--output', '1'], '--action inject'],
    [['--action', 'abort', '--input', '{}'], 'continue or retry'],
    [['--action', 'continue', '--operator', 'x'.repeat(65)], '64'],
    [['--action', 'continue', '--timeout', '121'], '120'],
  ])('refuses %j with 1 and says what it takes', async (args, words) => {
    expect(await graphmind('resume', 'p-1', ...args)).toMatchObject({ exitCode: 1, err: expect.stringContaining(words) })
  })
})

it.each([['pauses'], ['wait'], ['resume', 'p-1', '--action', 'continue']])('%s ends with 3 when no server answers', async (...args) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  taken.close()
  await once(taken, 'close')
  const ran = await runCommandLine([...args, '--port', String(port)])
  expect(ran).toMatchObject({ exitCode: 3, err: expect.stringContaining('graphmind serve') })
})
