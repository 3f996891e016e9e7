import { setInterval as every } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { load } from './support/load.ts'
import { residentBytes, trendOf } from './support/memory.ts'

// `npm run soak` sets this; alone, the test is the short form.
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 10)
/** While large runs arrive, are exported and watched at once: 287 in ten minutes on two cores that others shared. */
const PEAK_MB = 360
/** Between the medians of the middle and of the last third of the time: 18 in that run. */
const GROWTH_MB = 25
const SAMPLE_MS = 250
/** Too short to have a trend: in the first minutes the heaps and what is kept of runs grow to their size. */
const MIN_TREND_SECONDS = 300

describe('a collector under mixed load', () => {
  it(`fails nobody and stays as large as it is for ${SECONDS} seconds`, { timeout: SECONDS * 1000 + 120_000 }, async () => {
    const collector = await startCollector()
    const { child } = collector.program
    const samples: number[] = []
    const over = new AbortController()
    try {
      const sampling = sample(child.pid ?? 0, samples, over.signal)
      const until = performance.now() + SECONDS * 1000
      const tally = await load(collector, () => performance.now() >= until || child.exitCode !== null)
      over.abort()
      await sampling
      const trend = trendOf(samples)
      console.log(JSON.stringify({ seconds: SECONDS, ...tally, ...trend }))
      expect(child.exitCode, collector.program.output().slice(-2000)).toBeNull()
      expect(tally.problems).toEqual([])
      for (const count of [tally.spans, tally.holds, tally.visits, tally.frames, tally.reads]) expect(count).toBeGreaterThan(0)
      expect(collector.program.output()).not.toMatch(/\n {4}at /)
      expect(trend.peakMb).toBeLessThan(PEAK_MB)
      if (SECONDS >= MIN_TREND_SECONDS) expect(trend.lastMb - trend.middleMb).toBeLessThan(GROWTH_MB)
    } finally {
      over.abort()
      await collector.stop()
    }
  })
})

async function sample(pid: number, samples: number[], signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of every(SAMPLE_MS, undefined, { signal })) {
      const bytes = residentBytes(pid)
      if (bytes !== undefined) samples.push(bytes)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
