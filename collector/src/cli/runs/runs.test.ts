import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testCollector } from '../../testing/collector.ts'
import { runCommandLine } from '../../testing/command-line.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const JAEGER = fileURLToPath(new URL('../../../../test/cases/10-jaeger-export/trace.json', import.meta.url))
const JAEGER_RUN = '00abc0de000000000000000000000011'

let folder: string
let db: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'graphmind-runs-'))
  db = join(folder, 'graphmind.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const graphmind = (...args: readonly string[]) => runCommandLine([...args, '--db', db])

describe('graphmind runs', () => {
  it('says how to get a first run where there is no database', async () => {
    expect(await graphmind('runs')).toMatchObject({ exitCode: 1, err: expect.stringContaining('graphmind demo') })
  })

  it('lists, filters and removes runs, without a server and with one', async () => {
    await graphmind('import', JAEGER)
    const closed = await graphmind('runs')
    expect(closed.out.split('\n')[0]).toMatch(/^RUN +STARTED +STATUS +NAME +STEPS +ERRORS +TIME +SOURCE$/)
    expect(closed.out).toMatch(new RegExp(`^${JAEGER_RUN} .* ok .* 600 ms +import$`, 'm'))
    const collector = await testCollector({ db })
    try {
      expect((await graphmind('runs')).out).toBe(closed.out)
      expect(JSON.parse((await graphmind('runs', 'source:import', '--json')).out)).toMatchObject({
        runs: [{ id: JAEGER_RUN }],
        nextCursor: null,
      })
      expect((await graphmind('runs', 'state:error')).out).toBe('No run matches state:error.')
      expect(await graphmind('runs', '--rm', JAEGER_RUN)).toEqual({ exitCode: 0, out: `Removed ${JAEGER_RUN}.`, err: '' })
      expect(JSON.parse((await graphmind('runs', '--json')).out).runs).toEqual([])
    } finally {
      await collector.stop()
    }
    expect((await graphmind('runs')).out).toContain('No run is recorded yet')
  })

  it('removes by itself where no server is, and says which runs it did not find', async () => {
    await graphmind('import', JAEGER)
    const { exitCode, out, err } = await graphmind('runs', '--rm', 'nobody', JAEGER_RUN)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: `Removed ${JAEGER_RUN}.` })
    expect(err).toContain('nobody')
  })

  it('prunes what is beyond a number or an age, after showing it, without a server and with one', async () => {
    const SEVERAL = fileURLToPath(new URL('../../../../test/cases/06-jsonl-file-exporter/traces.jsonl', import.meta.url))
    await graphmind('import', JAEGER, SEVERAL)
    const count = async () => JSON.parse((await graphmind('runs', '--json')).out).runs.length
    expect(await count()).toBe(3)
    expect((await graphmind('runs', '--prune', '--keep', '2', '--dry-run')).out).toMatch(
      /^Would remove .+\n1 runs, about .+ MB\. Leave --dry-run out/,
    )
    expect(await count()).toBe(3)
    expect((await graphmind('runs', '--prune', '--keep', '2')).out).toMatch(/^Removed /)
    expect(await count()).toBe(2)
    expect((await graphmind('runs', '--prune', '--days', '30')).out).toBe('Nothing to remove.')
    expect((await graphmind('runs', '--prune')).out).toBe('Nothing to remove.')
    const collector = await testCollector({ db })
    try {
      expect((await graphmind('runs', '--prune', '--keep', '1')).out).toMatch(/^Removed /)
      expect(await count()).toBe(1)
      expect(await graphmind('runs', '--clear')).toMatchObject({ exitCode: 1, err: expect.stringContaining('--yes') })
      expect(JSON.parse((await graphmind('runs', '--clear', '--yes', '--json')).out).runs).toHaveLength(1)
      expect(await count()).toBe(0)
    } finally {
      await collector.stop()
    }
  })

  it.each([
    [['state:maybe'], 'state'],
    [['--limit', '0'], '1 to 1000'],
    [['--limit', '1001'], '1 to 1000'],
    [['--keep', '3'], '--prune'],
    [['--prune', '--keep', 'few'], 'whole number'],
  ])('refuses %j and says what it takes', async (args, words) => {
    await graphmind('import', JAEGER)
    expect(await graphmind('runs', ...args)).toMatchObject({ exitCode: 1, err: expect.stringContaining(words) })
  })
})
