import { expect, it } from 'vitest'
import { runInfo } from '../../testing/run-info.ts'
import { CELLS, exactFacts } from './run-cells.tsx'

const NOW = 1_000_000
const ended = { startedAt: NOW - 90_000, finishedAt: NOW - 60_000, durationMs: 30_000, status: 'ok' } as const

it('never counts held time as duration, also while a call is held', () => {
  const running = { startedAt: NOW - 60_000, heldMs: 10_000, held: 1, heldSince: NOW - 20_000 }
  expect([runInfo({ ...ended, heldMs: 28_000 }), runInfo(running)].map((run) => CELLS.duration(run, NOW))).toEqual(['2 s', '30 s'])
  expect(exactFacts(runInfo({ ...ended, heldMs: 28_000 }))).toContain('Held for 28 s, not counted as duration')
})

it('counts the steps, and says nothing of those of a run that is not counted yet', () => {
  const { stepCount: _none, ...uncounted } = runInfo()
  expect([runInfo({ stepCount: 31 }), uncounted].map((run) => CELLS.steps(run, NOW))).toEqual(['31', '—'])
})
