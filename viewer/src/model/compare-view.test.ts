import { expect, it } from 'vitest'
import { type ComparedCall, readComparison } from '../link/read-comparison.ts'
import { runInfo } from '../testing/run-info.ts'
import { changeWords, deltaWords, placesOf, shownPairs, tokenDelta } from './compare-view.ts'

const call = (id: string, startedAt: number, durationMs: number) => ({ id, kind: 'tool', name: id, status: 'ok', startedAt, durationMs })
const side = { run: runInfo(), totals: { instances: 3, errors: 0 } }

/** As the collector answers. */
const comparison = readComparison({
  left: side,
  right: side,
  delta: { errors: 0, durationMs: 'much' },
  isSame: false,
  rows: [
    { verdict: 'same', depth: 0, left: call('root', 1000, 400), right: call('root', 5000, 800), changes: [], delta: { durationMs: 400 } },
    { verdict: 'same', depth: 1, left: call('a', 1000, 100), right: call('a', 5000, 100), changes: [], delta: {} },
    { verdict: 'same', depth: 1, left: call('b', 1100, 100), right: call('b', 5200, 100), changes: [], delta: {} },
    { verdict: 'changed', depth: 2, left: call('c', 1100, 50), right: call('c', 5200, 50), changes: ['input', 'newer'], delta: {} },
    { verdict: 'right-only', depth: 1, right: call('d', 5400, 10) },
    { verdict: 'left-only', depth: 1, left: { id: 'no start' } },
  ],
})
if (comparison === undefined) throw new Error('This is a comparison.')

it('reads the answer of the collector and leaves out what it does not know', () => {
  expect(comparison.rows.map(({ verdict }) => verdict)).toEqual(['same', 'same', 'same', 'changed', 'right-only'])
  expect(comparison.delta).toEqual({ errors: 0 })
  expect(comparison.rows[3]).toMatchObject({ changes: ['input'] })
  expect(readComparison({ error: 'There is no run a.' })).toBeUndefined()
})

it('keeps the callers of a difference when only differences are shown', () => {
  const names = shownPairs(comparison.rows, true).map(({ left, right }) => (left ?? right)?.name)
  expect(names).toEqual(['root', 'b', 'c', 'd'])
  expect(shownPairs(comparison.rows, false)).toHaveLength(5)
})

it('draws both runs on one scale, or each by its own length', () => {
  const [root] = comparison.rows
  const sides =
    root?.left === undefined || root.right === undefined
      ? []
      : ([
          ['left', root.left],
          ['right', root.right],
        ] as const)
  const parts = (scale: 'one' | 'each') =>
    sides.map(([name, shown]: readonly ['left' | 'right', ComparedCall]) => placesOf(comparison, scale)(name, shown).part)
  expect(parts('one')).toEqual([0.5, 1])
  expect(parts('each')).toEqual([1, 1])
})

it.each([
  ['durationMs', 400, 800, '+400 ms', '400 ms slower', 'worse'],
  ['durationMs', -400, 800, '−400 ms', '400 ms faster', 'better'],
  ['durationMs', 9, 10, '+9 ms', '9 ms slower', 'none'],
  ['durationMs', 50, 1000, '+50 ms', '50 ms slower', 'none'],
  ['costUsd', 0.02, 0, '+$0.02', '$0.02 dearer', 'worse'],
  // Short beside the others, with all digits on hover.
  ['inputTokens', 18_249, 0, '+18.2k', '18,249 more tokens in', 'worse'],
  ['errors', -1, 0, '−1', '1 fewer errors', 'better'],
  ['errors', 0, 0, '±0', 'the same', 'none'],
  ['costUsd', undefined, 0, '—', 'not known on both sides', 'none'],
] as const)('says a difference of %s by %s of %s with sign and word', (measure, delta, of, text, words, tone) => {
  expect(deltaWords(measure, delta, of)).toEqual({ text, words, tone })
})

it('adds tokens only where they are known', () => {
  expect([tokenDelta({}), tokenDelta({ inputTokens: 5, outputTokens: -2 })]).toEqual([undefined, 3])
})

it('names what differs', () => {
  expect(changeWords(['status', 'error', 'output'])).toBe('how it ended, error, output')
})
