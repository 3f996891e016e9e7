import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Collector } from '../collector.ts'
import { askJson, testCollector } from '../testing/collector.ts'
import { SCHEMA_VERSION } from './migrate.ts'

/** Made by `test/support/save-database.mjs`: in the last state of each version, before the next migration is written. */
const EARLIER = new URL('./earlier/', import.meta.url)

interface SavedRun {
  readonly id: string
  readonly spans: number
  /** As that version told them; left out where it had not read the spans yet. */
  readonly events?: readonly object[]
}

const versions = readdirSync(EARLIER)
  .map((name) => Number(/^version-(\d+)$/.exec(name)?.[1]))
  .sort((one, other) => one - other)

it('has a saved database of every earlier version', () => {
  expect(versions).toEqual(expect.arrayContaining(Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1)))
})

describe.each(versions)('a database of version %i', (version) => {
  const saved = (name: string) => gunzipSync(readFileSync(new URL(`version-${version}/${name}.gz`, EARLIER)))
  let folder: string
  let collector: Collector
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'graphmind-earlier-'))
    writeFileSync(join(folder, 'runs.db'), saved('runs.db'))
    collector = await testCollector({ db: join(folder, 'runs.db') })
  })
  afterEach(async () => {
    await collector.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('still answers as that version did, and reads what that version had left to read', async () => {
    const runs: readonly SavedRun[] = JSON.parse(saved('answers.json').toString())
    expect(runs.length).toBeGreaterThan(8)
    const told: SavedRun[] = []
    for (const { id, events: before } of runs) {
      const { events } = await askJson(collector.port, `/api/runs/${id}/events?limit=5000`)
      const { spans } = await askJson(collector.port, `/api/runs/${id}/spans?limit=10000`)
      if (!Array.isArray(events) || !Array.isArray(spans)) throw new Error('an answer has another form')
      expect(events.length).toBeGreaterThan(2)
      told.push({ id, spans: spans.length, ...(before === undefined ? {} : { events }) })
    }
    expect(told).toEqual(runs)
  })
})
