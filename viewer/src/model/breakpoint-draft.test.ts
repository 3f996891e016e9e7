import { describe, expect, it } from 'vitest'
import { draftOf, EMPTY_DRAFT, matcherOf } from './breakpoint-draft.ts'

describe('a breakpoint draft', () => {
  it.each([
    [
      { kinds: ['tool'], name: 'search' },
      { kind: 'tool', name: 'search', point: 'before' },
    ],
    [
      { name: 'sea*', point: 'after' },
      { namePattern: 'sea*', point: 'after', id: 'new' },
    ],
    [
      { kinds: ['tool', 'llm'], hits: '>= 3', log: true },
      { kinds: ['tool', 'llm'], hits: '>= 3', log: true, point: 'before', id: 'new' },
    ],
    [
      { where: ' input.q == 1 ', once: true },
      { where: 'input.q == 1', once: true, point: 'before', id: 'new' },
    ],
  ] as const)('%j is the plainest matcher that says it', (change, matcher) => {
    expect(matcherOf({ ...EMPTY_DRAFT, ...change }, 'new')).toEqual({ ok: true, matcher })
    expect(matcherOf(draftOf(matcher as never), 'new')).toEqual({ ok: true, matcher })
  })

  it('with a hit count that can’t be read says so', () => {
    expect(matcherOf({ ...EMPTY_DRAFT, hits: 'often' }, 'new')).toMatchObject({ ok: false, field: 'hits' })
  })
})
