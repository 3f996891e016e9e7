import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { migrate } from '../store/migrate.ts'
import { RunPacker } from '../store/run-packer.ts'
import { StoreWriter } from '../store/writer.ts'
import { RunLoader } from './load-run.ts'
import { LogShelf } from './log-shelf.ts'
import { RunCache } from './run-cache.ts'

function emptyCache() {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const cache = new RunCache(new StoreWriter(database), new RunLoader(database, new LogShelf(database)), new RunPacker(database))
  const grow = (runId: string, spans: number) => {
    const { instances } = cache.touch(runId, 1).tally
    for (let left = spans; left > 0; left--) instances.set(`${instances.size}`, { hasError: false, started: true, startedAt: 0 })
  }
  const kept = (...runIds: readonly string[]) => runIds.filter((runId) => cache.peek(runId) !== undefined)
  return { cache, grow, kept }
}

describe('RunCache', () => {
  it('keeps runs of 20,000 spans, those touched last', () => {
    const { cache, grow, kept } = emptyCache()
    grow('a', 8_000)
    grow('b', 8_000)
    cache.trim()
    grow('c', 4_000)
    cache.trim()
    expect(kept('a', 'b', 'c')).toEqual(['a', 'b', 'c'])
    grow('a', 1)
    cache.trim()
    expect(kept('a', 'b', 'c')).toEqual(['a', 'c'])
    cache.drop('a')
    grow('d', 16_000)
    cache.trim()
    expect(kept('c', 'd')).toEqual(['c', 'd'])
  })

  it('keeps the run that is worked on, however large it is', () => {
    const { cache, grow, kept } = emptyCache()
    grow('a', 10)
    grow('b', 20_001)
    cache.trim()
    expect(kept('a', 'b')).toEqual(['b'])
  })

  it('keeps as many runs as it is told', () => {
    const { cache, grow, kept } = emptyCache()
    for (const runId of ['a', 'b', 'c']) grow(runId, 1)
    cache.trim(2)
    expect(kept('a', 'b', 'c')).toEqual(['b', 'c'])
  })
})
