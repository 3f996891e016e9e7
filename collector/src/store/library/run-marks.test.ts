import { expect, it } from 'vitest'
import { readPruneWish } from './prune-wish.ts'
import { MAX_NOTE_LENGTH, MAX_RUN_NAME_LENGTH, MAX_TAG_LENGTH, MAX_TAGS, readRunMarks } from './run-marks.ts'

const long = (length: number) => 'x'.repeat(length)

it.each([
  [{}, {}],
  [
    { name: '  Lisbon  ', pinned: true },
    { name: 'Lisbon', pinned: true },
  ],
  [
    { name: null, note: '' },
    { name: null, note: null },
  ],
  [{ tags: [' a ', 'b', 'a'] }, { tags: ['a', 'b'] }],
  [{ name: long(MAX_RUN_NAME_LENGTH) }, { name: long(MAX_RUN_NAME_LENGTH) }],
  [{ note: long(MAX_NOTE_LENGTH) }, { note: long(MAX_NOTE_LENGTH) }],
  [{ tags: [long(MAX_TAG_LENGTH)] }, { tags: [long(MAX_TAG_LENGTH)] }],
])('takes the marks %j', (given, marks) => {
  expect(readRunMarks(given)).toEqual({ ok: true, value: marks })
})

it.each([
  [null, 'bad-marks'],
  [[], 'bad-marks'],
  [{ colour: 'red' }, 'unknown-field'],
  [{ name: 5 }, 'bad-name'],
  [{ name: long(MAX_RUN_NAME_LENGTH + 1) }, 'bad-name'],
  [{ name: 'a\0' }, 'bad-name'],
  [{ note: long(MAX_NOTE_LENGTH + 1) }, 'bad-note'],
  [{ note: '\ud800' }, 'bad-note'],
  [{ tags: 'a' }, 'bad-tags'],
  [{ tags: [''] }, 'bad-tags'],
  [{ tags: [5] }, 'bad-tags'],
  [{ tags: [long(MAX_TAG_LENGTH + 1)] }, 'bad-tags'],
  [{ tags: Array.from({ length: MAX_TAGS + 1 }, (_, at) => `${at}`) }, 'bad-tags'],
  [{ pinned: 'yes' }, 'bad-pinned'],
])('refuses the marks %j', (given, code) => {
  expect(readRunMarks(given)).toMatchObject({ ok: false, problem: { code, message: expect.stringMatching(/\.$/) } })
})

it('reads what is to be pruned', () => {
  expect(readPruneWish({ keep: 0, olderThan: '30d', bytes: 5, dryRun: true })).toEqual({
    ok: true,
    value: { policy: { keepRuns: { together: 0 }, maxAgeMs: 30 * 86_400_000, maxBytes: 5 }, dryRun: true },
  })
  for (const [given, code] of [
    [{}, 'no-limit'],
    [{ dryRun: true }, 'no-limit'],
    [null, 'bad-prune'],
    [{ keep: -1 }, 'bad-keep'],
    [{ keep: 1.5 }, 'bad-keep'],
    [{ olderThan: '30' }, 'bad-older-than'],
    [{ olderThan: 30 }, 'bad-older-than'],
    [{ bytes: '1' }, 'bad-bytes'],
    [{ keep: 1, dryRun: 1 }, 'bad-dry-run'],
    [{ all: true }, 'unknown-field'],
  ] as const)
    expect(readPruneWish(given)).toMatchObject({ ok: false, problem: { code } })
})
