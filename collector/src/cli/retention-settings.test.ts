import { expect, it } from 'vitest'
import { retentionSettings } from './retention-settings.ts'

const GB = 1024 ** 3

it.each([
  [{}, { keepRuns: { count: 200, otherCount: 200 }, maxAgeMs: 30 * 86_400_000, maxBytes: 2 * GB }],
  [{ GRAPHMIND_RETENTION: 'on', GRAPHMIND_KEEP_RUNS: '5' }, { keepRuns: { count: 5, otherCount: 200 } }],
  [
    { GRAPHMIND_KEEP_OTHER_RUNS: '0', GRAPHMIND_KEEP_DAYS: '1' },
    { keepRuns: { count: 200, otherCount: 0 }, maxAgeMs: 86_400_000 },
  ],
  [{ GRAPHMIND_KEEP_BYTES: '500m' }, { maxBytes: 500 * 1024 ** 2 }],
  [{ GRAPHMIND_KEEP_BYTES: '1GB' }, { maxBytes: GB }],
  [
    { GRAPHMIND_KEEP_BYTES: '1000', GRAPHMIND_KEEP_RUNS: '' },
    { maxBytes: 1000, keepRuns: { count: 200 } },
  ],
])('%j keeps what it says', (environment, policy) => {
  expect(retentionSettings(environment)).toMatchObject({ ok: true, value: policy })
})

it.each(['off', '0', 'False', 'no'])('GRAPHMIND_RETENTION=%s keeps everything', (value) => {
  expect(retentionSettings({ GRAPHMIND_RETENTION: value, GRAPHMIND_KEEP_RUNS: '1' })).toEqual({ ok: true, value: undefined })
})

it.each([
  [{ GRAPHMIND_RETENTION: 'maybe' }, 'on or off'],
  [{ GRAPHMIND_KEEP_RUNS: 'many' }, 'GRAPHMIND_KEEP_RUNS'],
  [{ GRAPHMIND_KEEP_DAYS: '-1' }, 'GRAPHMIND_KEEP_DAYS'],
  [{ GRAPHMIND_KEEP_BYTES: '2 apples' }, '500M or 2G'],
])('%j is refused with what it takes', (environment, words) => {
  expect(retentionSettings(environment)).toMatchObject({ ok: false, problem: { message: expect.stringContaining(words) } })
})
