import { describe, expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { draftOf, EMPTY_DRAFT, matcherOf, wouldMatch } from './breakpoint-draft.ts'

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

  it.each([
    [{ hits: 'often' }, 'hits'],
    [{ name: '/(/' }, 'name'],
  ] as const)('%j can’t be read, and says where', (change, field) => {
    expect(matcherOf({ ...EMPTY_DRAFT, ...change }, 'new')).toMatchObject({ ok: false, field })
  })

  it.each([
    [{}, ['a1', 'search1', 'search2', 'sell1']],
    [{ kinds: ['tool'], name: 'se*' }, ['search1', 'search2', 'sell1']],
    [{ name: '/^SEA/i' }, ['search1', 'search2']],
    [{ name: 's?ll' }, ['sell1']],
    [{ name: 'search', hits: '2' }, ['search2']],
    [{ point: 'error' }, ['sell1']],
    [{ kinds: ['tool'], once: true }, ['search1']],
  ] as const)('%j would have matched %j', (change, ids) => {
    const { picture } = runFromText(`
      agent a 0-100
        tool search 10-20
        tool search 30-40
        tool sell 50-60 error`)
    expect([...wouldMatch(picture, { ...EMPTY_DRAFT, ...change })].sort()).toEqual([...ids].sort())
  })
})
