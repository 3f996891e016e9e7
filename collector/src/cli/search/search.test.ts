import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStore } from '../../ingest/open-store.ts'
import { runCommandLine } from '../../testing/command-line.ts'
import { traceRequest } from '../../testing/spans.ts'
import { serverApi } from '../server/server-api.ts'
import { hitLines } from './search.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const JAEGER = fileURLToPath(new URL('../../../../test/cases/10-jaeger-export/trace.json', import.meta.url))
const JAEGER_RUN = '00abc0de000000000000000000000011'

let folder: string
let db: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-search-'))
  db = join(folder, 'graphmind.db')
  expect(await graphmind('import', JAEGER)).toMatchObject({ exitCode: 0 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const graphmind = (...args: readonly string[]) => runCommandLine([...args, '--db', db])

it('finds calls by the beginnings of words, with a place, a snippet and a link each', async () => {
  const { hits } = JSON.parse((await graphmind('search', 'e', '--json')).out)
  expect(hits.length).toBeGreaterThan(0)
  const word = hits[0].name.split(/\W/)[0]
  const { exitCode, out } = await graphmind('search', word, '--in', 'name')
  expect(exitCode).toBe(0)
  expect(out).toMatch(/^\S+: name, in .+\n {2}.+\n {2}http:\/\/127\.0\.0\.1:4747\/run\/00abc0de000000000000000000000011\?instance=/)
  expect(JSON.parse((await graphmind('search', word, '--run', JAEGER_RUN, '--json')).out).hits.length).toBeGreaterThan(0)
})

it('finds what is stored and was not read yet, with no server at all', async () => {
  const fresh = join(folder, 'fresh.db')
  const store = await openStore(fresh)
  if (!store.ok) throw new Error(store.problem.message)
  const spans = Array.from(
    { length: 300 },
    (_, at) => ({ id: at + 1, type: 'tool', name: `xylophone-${at}`, start: at, end: at + 1 }) as const,
  )
  const body = new TextEncoder().encode(JSON.stringify(traceRequest(spans)))
  const taken = await store.value.ingest.export({ signal: 'traces', body, format: 'json', encoding: 'identity' })
  expect(taken).toMatchObject({ status: 200, accepted: 300 })
  await store.value.close()
  const { out } = await runCommandLine(['search', 'xylophone', '--limit', '100', '--json', '--db', fresh])
  const { hits, nextCursor, index } = JSON.parse(out)
  expect([hits.length, typeof nextCursor, index.waiting]).toEqual([100, 'string', 0])
})

it('says how much of the index is not filled yet, and who is filling it', () => {
  const page = { hits: [], nextCursor: 'more', index: { events: 10, waiting: 3 } }
  const url = 'http://127.0.0.1:4747'
  expect(hitLines(page, { url, server: undefined }).slice(1)).toEqual([
    expect.stringContaining('--limit'),
    '3 of 10 events are not in the index yet: another command is writing to this database. Search again when it has ended.',
  ])
  expect(hitLines(page, { url, server: serverApi({ url, token: undefined }) }).at(-1)).toContain('Search again in a moment')
})

it('searches what is indexed while another command writes to the database', async () => {
  const store = await openStore(db)
  if (!store.ok) throw new Error(store.problem.message)
  expect(await graphmind('search', 'xylophone')).toMatchObject({ exitCode: 0 })
  await store.value.close()
})

it('says what to try when nothing is found', async () => {
  expect(await graphmind('search', 'xylophone')).toMatchObject({ exitCode: 0, out: expect.stringContaining('Fewer words') })
})

it.each([
  [['e', '--limit', '0'], '1 to 100'],
  [['e', '--limit', '101'], '1 to 100'],
  [['e', '--kind', 'robot'], 'agent'],
  [['e', '--in', 'dreams'], 'output'],
  [['e', '--run', 'nobody'], 'The latest are'],
])('refuses %j and says what it takes', async (args, words) => {
  expect(await graphmind('search', ...args)).toMatchObject({ exitCode: 1, err: expect.stringContaining(words) })
})
