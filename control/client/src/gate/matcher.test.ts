import type { BreakpointMatcher, PausePoint, RunMode } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { holdReason, type MatchedNode, matches, sameMatcher } from './matcher.ts'

const search: MatchedNode = { kind: 'tool', name: 'search' }

describe('a breakpoint matcher', () => {
  it.each<[BreakpointMatcher, PausePoint, boolean]>([
    [{}, 'before', true],
    [{}, 'after', false],
    [{}, 'error', false],
    [{ point: 'error' }, 'error', true],
    [{ point: 'error' }, 'before', false],
    [{ kind: 'tool' }, 'before', true],
    [{ kind: 'llm' }, 'before', false],
    [{ name: 'search' }, 'before', true],
    [{ name: 'Search' }, 'before', false],
    [{ name: 'sear' }, 'before', false],
    [{ kind: 'tool', name: 'search', point: 'after' }, 'after', true],
    [{ kind: 'llm', name: 'search', point: 'after' }, 'after', false],
  ])('%j at %s → %s', (matcher, point, expected) => {
    expect(matches(matcher, point, search)).toBe(expected)
  })
})

describe('the reason of a hold', () => {
  it.each<[BreakpointMatcher[], RunMode, PausePoint, string | undefined]>([
    [[], 'run', 'before', undefined],
    [[], 'step', 'before', 'step'],
    [[], 'step', 'error', 'step'],
    [[], 'step', 'after', undefined],
    [[{ point: 'error' }], 'run', 'error', 'error'],
    [[{ point: 'error', name: 'search' }], 'step', 'error', 'error'],
    [[{ name: 'search' }], 'step', 'before', 'breakpoint'],
    [[{ point: 'after' }], 'run', 'after', 'breakpoint'],
    [[{ name: 'other' }], 'run', 'before', undefined],
  ])('%j in %s mode at %s is %s', (breakpoints, mode, point, expected) => {
    expect(holdReason({ breakpoints, mode }, point, search)?.reason).toBe(expected)
  })

  it('names the first matcher that hit', () => {
    const breakpoints = [{ kind: 'llm' as const }, { name: 'search' }, {}]
    expect(holdReason({ breakpoints, mode: 'run' }, 'before', search)?.matcher).toEqual({ name: 'search' })
  })
})

describe('two matchers', () => {
  it.each<[BreakpointMatcher, BreakpointMatcher, boolean]>([
    [{}, {}, true],
    [{ kind: 'tool', name: 'a' }, { name: 'a', kind: 'tool' }, true],
    [{ kind: 'tool' }, { kind: 'tool', point: 'before' }, false],
    [{ name: 'a' }, { name: 'b' }, false],
    [{ kinds: ['tool', 'llm'] }, { kinds: ['tool', 'llm'] }, true],
    [{ kinds: ['tool'] }, { kinds: ['llm'] }, false],
    [{ later: { a: 1 } }, { later: { a: 1 } }, true],
  ])('%j and %j are one breakpoint: %s', (left, right, expected) => {
    expect(sameMatcher(left, right)).toBe(expected)
  })
})
