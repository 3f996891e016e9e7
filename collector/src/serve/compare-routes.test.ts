import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Collector } from '../collector.ts'
import { NOT_LIVE } from '../store/reads/run-info.ts'
import { findRun } from '../store/reads/runs.ts'
import { ask, askJson, post, testCollector } from '../testing/collector.ts'
import { ListedRuns } from '../testing/listed-runs.ts'
import { type TestSpan, traceRequest } from '../testing/spans.ts'
import { compareRoutes } from './compare-routes.ts'

const RUN = (digit: string) => digit.repeat(32)

describe('comparing two runs over HTTP', () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await testCollector()
    const run = (digit: string, query: string, extra: readonly TestSpan[] = []): readonly TestSpan[] =>
      [
        { id: 1, type: 'agent', name: 'planner', end: 90 } as const,
        {
          id: 2,
          parent: 1,
          type: 'tool',
          name: 'search',
          start: 10,
          end: 20,
          attributes: { 'gen_ai.tool.call.arguments': query },
        } as const,
        ...extra,
      ].map((span) => ({
        ...span,
        trace: RUN(digit),
        attributes: { ...('attributes' in span ? span.attributes : {}), 'session.id': 'chat' },
      }))
    await post(collector.port, traceRequest(run('a', '{"q":1}')))
    await post(collector.port, traceRequest(run('b', '{"q":2}', [{ id: 3, parent: 1, type: 'tool', name: 'book', start: 30, end: 40 }])))
  })
  afterAll(() => collector.stop())
  const compare = (left: string, right: string) => askJson(collector.port, `/api/compare?left=${left}&right=${right}`)

  it('answers rows with what differs, and the sums of both', async () => {
    const answer = await compare(RUN('a'), RUN('b'))
    expect(answer).toMatchObject({
      isSame: false,
      counts: { same: 1, changed: 1, 'left-only': 0, 'right-only': 1 },
      left: { run: { id: RUN('a') }, totals: { instances: 2 } },
      right: { totals: { instances: 3 } },
      rows: [
        { verdict: 'same', depth: 0, left: { name: 'planner' }, right: { name: 'planner' } },
        { verdict: 'changed', depth: 1, changes: ['input'], delta: { durationMs: 0 } },
        { verdict: 'right-only', right: { name: 'book' } },
      ],
    })
    expect(JSON.stringify(answer)).not.toContain('{\\"q\\"')
    expect(await compare(RUN('a'), RUN('a'))).toMatchObject({ isSame: true })
  })

  it('says which run is missing', async () => {
    expect((await ask(collector.port, `/api/compare?left=${RUN('a')}`)).status).toBe(400)
    expect((await ask(collector.port, `/api/compare?left=${RUN('a')}&right=nobody`)).status).toBe(404)
  })
})

it.each([
  [20, 200],
  [19, 413],
])('takes runs of 20 events together where %i may be compared: %i', async (maxEvents, status) => {
  const runs = new ListedRuns()
  runs.add({ id: 'a', event_count: 12 })
  runs.add({ id: 'b', event_count: 8 })
  const app = express().use(compareRoutes({ database: runs.reader, find: (id) => findRun(runs.reader, id), liveness: NOT_LIVE, maxEvents }))
  const server = app.listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    expect((await ask(port, '/compare?left=a&right=b')).status).toBe(status)
  } finally {
    server.close()
    await runs.close()
  }
})
