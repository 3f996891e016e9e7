import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { RunInfo } from '@graphmind-ai/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Collector, startCollector } from '../collector.ts'
import { TRACE, traceRequest } from '../testing/spans.ts'

const FILE = JSON.stringify(traceRequest([{ id: 1, type: 'agent', start: 0, end: 9 }]))

let folder: string
let collector: Collector
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-import-'))
  writeFileSync(join(folder, 'x.db.import-left'), 'of a server that was killed')
  const started = await startCollector({ port: 0, db: join(folder, 'x.db') })
  if (!started.ok) throw new Error(started.problem.message)
  collector = started.value
})
afterAll(async () => {
  await collector.stop()
  rmSync(folder, { recursive: true, force: true })
})

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${collector.url}/api/import?file=a.json`, { method: 'POST', body, headers })

describe('POST /api/import', () => {
  it('answers with the runs of the file, packed or not, and leaves nothing beside the database', async () => {
    for (const body of [FILE, new Uint8Array(gzipSync(FILE))]) {
      const answer = await post(body)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ runs: [{ id: TRACE, source: 'import', spanCount: 1 }], skipped: [], spans: 1 })
    }
    expect(readdirSync(folder).filter((name) => name.includes('.import-'))).toEqual([])
  })

  it('names what it skipped with file and line', async () => {
    const answer = await post(`${FILE}\n{"no":1}\n`)
    expect(await answer.json()).toMatchObject({ skipped: [{ file: 'a.json', line: 2, reason: expect.stringContaining('fields no') }] })
  })

  it('refuses a file of which nothing can be read, with the known formats', async () => {
    const answer = await post('<html>')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toEqual({ code: 'import-unknown', error: expect.stringContaining('Known formats: OTLP') })
  })

  it('tells progress in lines to those who ask for them', async () => {
    const answer = await post(FILE, { accept: 'application/x-ndjson' })
    const lines = (await answer.text()).trim().split('\n')
    const messages = lines.map((line) => JSON.parse(line) as { run?: RunInfo; skipped?: unknown })
    expect(messages.find(({ run }) => run !== undefined)?.run?.id).toBe(TRACE)
    expect(messages.at(-1)).toEqual({ skipped: [], skippedCount: 0, spans: 1, events: 0, logs: 0 })
  })

  it('is closed to pages of other sites', async () => {
    expect((await post(FILE, { origin: 'https://elsewhere.example' })).status).toBe(403)
  })
})

describe('POST /api/runs/:id/remap', () => {
  it('reads a run again, and knows when there is none', async () => {
    await post(FILE)
    const answer = await fetch(`${collector.url}/api/runs/${TRACE}/remap`, { method: 'POST' })
    expect(await answer.json()).toEqual({ spans: 1, events: 0 })
    expect((await fetch(`${collector.url}/api/runs/nobody/remap`, { method: 'POST' })).status).toBe(404)
  })
})
