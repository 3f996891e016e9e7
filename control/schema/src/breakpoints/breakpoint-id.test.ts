import { describe, expect, it } from 'vitest'
import type { BreakpointMatcher } from '../primitives.ts'
import { breakpointId, matcherKey, reportsHits, sameBreakpoint } from './breakpoint-id.ts'

describe('a breakpoint', () => {
  it.each<[BreakpointMatcher, BreakpointMatcher, boolean]>([
    [{ kind: 'tool', name: 'a' }, { name: 'a', kind: 'tool' }, true],
    [{ kind: 'tool' }, { kind: 'tool', name: undefined }, true],
    [{ kind: 'tool' }, { kind: 'tool', point: 'before' }, false],
    [{ kinds: ['tool', 'llm'] }, { kinds: ['llm', 'tool'] }, false],
    [{ id: 'bp-1', kind: 'tool' }, { id: 'bp-1', kind: 'llm' }, true],
    [{ id: 'bp-1' }, { id: 'bp-2' }, false],
    [{ extra: { a: 1, b: 2 } }, { extra: { b: 2, a: 1 } }, true],
  ])('%j and %j are the same: %s', (left, right, same) => {
    expect(sameBreakpoint(left, right)).toBe(same)
  })

  it('is called by its id, or by its fields in a fixed order', () => {
    expect(breakpointId({ id: 'bp-1', kind: 'tool' })).toBe('bp-1')
    expect(breakpointId({ point: 'error', kind: 'tool' })).toBe(matcherKey({ kind: 'tool', point: 'error' }))
  })

  it('reports its hits only when it has more than the base contract knows', () => {
    expect(reportsHits({ kind: 'tool', name: 'a', point: 'after' })).toBe(false)
    expect(reportsHits({ kind: 'tool', id: 'bp-1' })).toBe(true)
    expect(reportsHits({ where: 'true' })).toBe(true)
    expect(reportsHits({ where: undefined })).toBe(false)
  })
})
