import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ListedRuns } from '../../testing/listed-runs.ts'
import { findRun } from './runs.ts'
import { listSessions, placeInSession } from './sessions.ts'

let runs: ListedRuns
beforeEach(() => {
  runs = new ListedRuns()
  const usage = JSON.stringify({ inputTokens: 5, outputTokens: 1, costUsd: 0.5 })
  runs.add({ id: 'a1', session_id: 'a', started_at: 10, usage, name: 'first' })
  runs.add({ id: 'a2', session_id: 'a', started_at: 20, status: 'error', title: 'second' })
  runs.add({ id: 'a3', session_id: 'a', started_at: 20, deleted_at: 1 })
  runs.add({ id: 'b1', session_id: 'b', started_at: 15, status: 'running' })
  runs.add({ id: 'alone', started_at: 30 })
})
afterEach(() => runs.close())

const page = async (limit = 10, cursor?: string) => {
  const listed = await listSessions(runs.reader, { limit, cursor })
  if (!listed.ok) throw new Error(listed.problem.message)
  return listed.value
}

describe('conversations', () => {
  it('are summed up, the one with the newest run first', async () => {
    expect((await page()).sessions).toEqual([
      {
        sessionId: 'a',
        runs: 2,
        running: 0,
        failed: 1,
        startedAt: 10,
        lastStartedAt: 20,
        tokens: 6,
        costUsd: 0.5,
        newest: { id: 'a2', name: 'second' },
      },
      { sessionId: 'b', runs: 1, running: 1, failed: 0, startedAt: 15, lastStartedAt: 15, newest: { id: 'b1', name: 'run' } },
    ])
  })

  it('come in pages', async () => {
    const first = await page(1)
    const second = await page(1, first.nextCursor ?? '')
    expect([
      first.sessions.map(({ sessionId }) => sessionId),
      second.sessions.map(({ sessionId }) => sessionId),
      second.nextCursor,
    ]).toEqual([['a'], ['b'], null])
    for (const cursor of ['', 'x', Buffer.from('[1]').toString('base64url')])
      expect(await listSessions(runs.reader, { limit: 1, cursor })).toMatchObject({ problem: { code: 'bad-cursor' } })
  })

  it('know the place of each run and its neighbours', async () => {
    const place = async (id: string) => {
      const run = await findRun(runs.reader, id)
      if (run === undefined) throw new Error(`no run ${id}`)
      const { previous, next, ...numbers } = await placeInSession(runs.reader, run)
      return { ...numbers, previous: previous?.id, next: next?.id }
    }
    expect(await place('a1')).toEqual({ position: 1, count: 2, previous: undefined, next: 'a2' })
    expect(await place('a2')).toEqual({ position: 2, count: 2, previous: 'a1', next: undefined })
    expect(await place('alone')).toEqual({ position: 1, count: 1, previous: undefined, next: undefined })
  })
})
