import { describe, expect, it } from 'vitest'
import { askJson, testCollector } from '../testing/collector.ts'
import { VERSION } from '../version.ts'
import { LOW_DISK_BYTES, NEAR_LIMIT, storeWarning } from './store-state.ts'

describe('what the server says of itself', () => {
  it('is where it listens, who may talk to it, where runs are kept and for how long, and never its token', async () => {
    const retention = { keepRuns: { count: 5, otherCount: 2 }, maxBytes: 1024 ** 3 }
    const collector = await testCollector({ retention, allowedHosts: ['my.host'], allowedOrigins: ['https://page'] })
    try {
      const said = await askJson(collector.port, '/api/server')
      expect(said).toEqual({
        version: VERSION,
        node: process.versions.node,
        bound: collector.bound,
        asksForToken: false,
        allowedHosts: ['my.host'],
        allowedOrigins: ['https://page'],
        retention,
        store: {
          path: expect.stringMatching(/memory\.db$/),
          bytes: expect.any(Number),
          diskFreeBytes: expect.any(Number),
          problem: null,
          warning: expect.toSatisfy((warning: unknown) => warning === null || typeof warning === 'object'),
        },
      })
    } finally {
      await collector.stop()
    }
  })
})

describe('the store warns', () => {
  const full = { path: 'runs.db', bytes: 0, diskFreeBytes: LOW_DISK_BYTES }
  it.each([
    ['of a disk that is nearly full', { ...full, diskFreeBytes: LOW_DISK_BYTES - 1 }, undefined, 'low-disk'],
    ['of no disk with room', full, undefined, undefined],
    ['of no disk it knows nothing of', { ...full, diskFreeBytes: null }, undefined, undefined],
    ['that the oldest runs go soon', { ...full, bytes: 1000 * NEAR_LIMIT }, 1000, 'near-limit'],
    ['of nothing below that', { ...full, bytes: 1000 * NEAR_LIMIT - 1 }, 1000, undefined],
    ['of the disk first', { ...full, bytes: 1000, diskFreeBytes: 0 }, 1000, 'low-disk'],
  ])('%s', (_what, store, maxBytes, code) => {
    expect(storeWarning(store, maxBytes)?.code).toBe(code)
  })
})
