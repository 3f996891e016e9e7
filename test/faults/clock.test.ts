import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RunInfo } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { root } from '../support/process.ts'
import { deliver, openTrace } from './support/traces.ts'

const HOUR_MS = 3_600_000

describe('a collector whose system clock is set', () => {
  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ])('gives no open run up when it is set an hour %s, and shows nothing negative', async (_way, stepMs) => {
    const folder = mkdtempSync(join(tmpdir(), 'graphmind-clock-'))
    const step = join(folder, 'step')
    writeFileSync(step, '0')
    const preload = pathToFileURL(join(root, 'test', 'faults', 'support', 'settable-clock.mjs')).href
    const collector = await startCollector([], {
      folder,
      env: { NODE_OPTIONS: `--import ${preload}`, CLOCK_STEP_FILE: step, GRAPHMIND_ABANDON_GRACE_MS: '500' },
    })
    try {
      const open = Array.from({ length: 20 }, () => openTrace())
      for (const { body } of open) expect((await deliver(collector.url, body)).status).toBe(200)
      // Its own clock shows in what it stores: a run that begins without a time of its own.
      writeFileSync(step, String(stepMs))
      await eventually(() => (collector.program.output().includes(`clock set by ${stepMs}`) ? true : undefined), 'the clock to be set')
      const later = openTrace()
      expect((await deliver(collector.url, later.body)).status).toBe(200)
      // Three sweeps: grace 500 ms makes one each 250 ms. A sweep leaves a mark only where it gives something up.
      for (let sweeps = 0; sweeps < 3; sweeps++) await nextSweep(collector.url)
      const runs = await collector.runs()
      expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'running'))
      expect(runs).toHaveLength(21)
      expect(runs.filter(hasNegative)).toEqual([])
    } finally {
      await collector.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

function hasNegative({ startedAt, durationMs, finishedAt }: RunInfo): boolean {
  return startedAt < 0 || (durationMs ?? 0) < 0 || (finishedAt !== null && finishedAt < startedAt)
}

/** A run whose session is gone for the grace time is given up by the next sweep: waits until that has happened to a run of its own. */
async function nextSweep(url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ingest`)
  const runId = `sweep-${crypto.randomUUID()}`
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const frame = (type: string, payload: object, seq: number) => JSON.stringify({ gm: 1, seq, ts: Date.now(), runId, type, payload })
  socket.send(frame('hello', { versions: { protocol: 1, client: 'test' }, capabilities: [] }, 0))
  socket.send(frame('run.started', { app: 'sweep', sdk: { name: 'test', version: '1' } }, 1))
  const status = async () => ((await (await fetch(`${url}/api/runs/${runId}`)).json()) as Partial<RunInfo>).status
  await eventually(async () => ((await status()) === 'running' ? true : undefined), 'the run of its own')
  socket.close()
  await eventually(async () => ((await status()) === 'abandoned' ? true : undefined), 'the sweep')
  await fetch(`${url}/api/runs/${runId}`, { method: 'DELETE' })
}
