import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession } from '@graphmind-ai/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ask, testCollector } from '../../testing/collector.ts'
import { runCommandLine } from '../../testing/command-line.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const CANARY = 'sk-canary-0123456789'

let folder: string
let db: string
let runId: string
let served: { readonly masked: string; readonly kept: string }
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-record-'))
  db = join(folder, 'graphmind.db')
  const collector = await testCollector({ db, breakpoints: [] })
  const session = createSession({ url: `${collector.url.replace('http', 'ws')}/ingest`, appName: 'app', enabled: true, env: {} })
  await session.ready()
  runId = await session.run('secrets', async ({ runId }) => {
    const call = { nodeId: 'tool:fetch', kind: 'tool', name: 'fetch', instanceId: 'call-1' } as const
    session.emit('node.started', {
      ...call,
      input: { headers: { Authorization: `Bearer ${CANARY}` }, body: `{"api_key":"${CANARY}"}`, max_tokens: 7 },
    })
    for (const v of ['{"pass', `word": "${CANARY}`, '"}'])
      session.emit('node.token', { nodeId: 'tool:fetch', instanceId: 'call-1', deltas: [{ t: 'tool-args', v }] })
    session.emit('node.finished', { nodeId: 'tool:fetch', instanceId: 'call-1', output: 'fine', durationMs: 1, status: 'ok' })
    return runId
  })
  await session.dispose()
  const exported = async (query: string) => (await ask(collector.port, `/api/runs/${runId}/export?format=ndjson${query}`)).body.toString()
  await vi.waitFor(async () => expect(await exported('')).toContain('run.finished'), 20_000)
  served = { masked: await exported(''), kept: await exported('&secrets=keep') }
  await collector.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const graphmind = (...args: readonly string[]) => runCommandLine([...args, '--db', db])

describe('graphmind record', () => {
  it('writes an envelope a line, without the secrets that really were recorded, and says what it replaced', async () => {
    expect(served.kept.split(CANARY)).toHaveLength(4)
    const out = join(folder, 'run.ndjson')
    const { exitCode, err } = await graphmind('record', runId, '--out', out)
    expect({ exitCode, err }).toMatchObject({ exitCode: 0, err: expect.stringContaining('with all its prompts and payloads') })
    expect(err).toMatch(/Redacted the values under these keys: password \(1\), Authorization \(1\), api_key \(1\)\./)
    const text = readFileSync(out, 'utf8')
    expect(text).not.toContain(CANARY)
    expect(text).toBe(served.masked)
    expect(text).toContain('"max_tokens":7')
    for (const line of text.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ gm: 1, runId })
    expect(statSync(out).mode & 0o777).toBe(0o600)
  })

  it('keeps them with --no-redact-secrets, and says so', async () => {
    const out = join(folder, 'kept.ndjson')
    expect((await graphmind('record', runId, '--no-redact-secrets', '--out', out)).err).toContain('Nothing was redacted')
    expect(readFileSync(out, 'utf8')).toBe(served.kept)
    await graphmind('record', runId, '--no-redact-secrets', '--redact-secrets', '--out', out)
    expect(readFileSync(out, 'utf8')).toBe(served.masked)
  })

  it('writes what imports to the same run', async () => {
    const out = join(folder, 'again.ndjson')
    await graphmind('record', runId, '--out', out)
    const other = join(folder, 'other.db')
    await runCommandLine(['import', out, '--db', other])
    const listed = JSON.parse((await runCommandLine(['runs', '--json', '--db', other])).out)
    expect(listed.runs).toMatchObject([{ id: runId, name: 'secrets', status: 'ok', nodeCount: 1 }])
  })

  it('lists the latest runs when it does not know the one asked for', async () => {
    expect(await graphmind('record', 'nobody')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`The latest are:\n  ${runId}  secrets`),
    })
  })

  it('says of a run that was reported without spans that OTLP has nothing of it', async () => {
    const out = join(folder, 'empty.json')
    const { exitCode, err } = await graphmind('export', runId, '--out', out)
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.stringContaining('has no spans') })
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({ resourceSpans: [] })
    expect((await graphmind('export', runId, '--format', 'ndjson', '--out', out)).err).not.toContain('has no spans')
  })

  it.each(['otlp-json', 'ndjson'])('masks %s exports too', async (format) => {
    const out = join(folder, 'export.out')
    await graphmind('export', runId, '--format', format, '--out', out)
    expect(readFileSync(out, 'utf8')).not.toContain(CANARY)
  })
})
