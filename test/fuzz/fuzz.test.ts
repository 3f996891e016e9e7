import { describe, expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { type FuzzReport, fuzz } from './support/fuzz.ts'
import { readSeeds } from './support/seeds.ts'

// `npm run fuzz` sets these; alone, the test is the short form.
const COUNT = Number(process.env['FUZZ_COUNT'] ?? 2000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
/** A fresh collector for every so many, so that the database stays small. */
const ROUND = 50_000
const TIMEOUT_MS = 60_000 + COUNT * 20

describe('a collector that is sent damaged requests and frames', () => {
  it(
    'answers each of them, without a crash, a hang or a 500',
    async () => {
      const seeds = readSeeds()
      for (let done = 0, round = 0; done < COUNT; done += ROUND, round++) {
        const collector = await startCollector()
        try {
          const report = await fuzz(collector, seeds, Math.min(ROUND, COUNT - done), SEED + round)
          say(report, done, SEED + round)
          expect(report.problems).toEqual([])
        } finally {
          await collector.stop()
        }
      }
    },
    TIMEOUT_MS,
  )
})

function say({ requests, frames, statuses }: FuzzReport, done: number, seed: number): void {
  if (process.env['FUZZ_COUNT'] === undefined) return
  console.log(`${done + requests + frames} sent (seed ${seed}): ${requests} requests ${JSON.stringify(statuses)}, ${frames} frames`)
}
