import { expect, it } from 'vitest'
import { readRunInfo } from '../link/read-run-info.ts'
import { runInfo } from '../testing/run-info.ts'
import { dateTime } from './format.ts'
import { detachedReason } from './states.ts'

const SINCE = 1_700_000_000_000

it.each([
  [
    'running',
    'Events arrive, but the agent opened no control link: you can watch, not hold.',
    /control link is gone since .*watch, not hold/,
  ],
  ['abandoned', 'The agent’s control link is gone.', /^The agent’s control link is gone since/],
  ['ok', 'The run is over, and its agent is no longer connected.', /^The run is over, and its agent is no longer connected since/],
] as const)('says why a run that is %s is detached, and since when where that is known', (status, why, sinceWhen) => {
  expect(detachedReason(runInfo({ live: false, status }))).toBe(why)
  const told = readRunInfo({ ...runInfo({ live: false, status }), detachedSince: SINCE })
  const words = told === undefined ? undefined : detachedReason(told)
  expect(words).toMatch(sinceWhen)
  expect(words).toContain(dateTime(SINCE))
})

it('says nothing of the kind of a run that is attached or imported', () => {
  expect(detachedReason(runInfo({ live: true }))).toBeUndefined()
  expect(detachedReason(runInfo({ live: false, source: 'import' }))).toBeUndefined()
})
