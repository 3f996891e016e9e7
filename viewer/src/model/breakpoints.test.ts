import type { BreakpointMatcher } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { breakpointWords, coveringBreakpoint, findBreakpoint, isMuted, muted, sameBreakpoint, unmuted } from './breakpoints.ts'

describe('breakpointWords', () => {
  it.each([
    [{}, 'before every node'],
    [{ kind: 'tool' } as const, 'before any tool'],
    [{ kind: 'llm', point: 'after' } as const, 'after any model call'],
    [{ kind: 'tool', name: 'search', point: 'before' } as const, 'before tool search'],
    [{ name: 'search' }, 'before anything named search'],
    [{ point: 'error' } as const, 'on any error'],
    [{ point: 'error', kind: 'tool' } as const, 'on an error in any tool'],
    [{ point: 'error', kind: 'tool', name: 'search' } as const, 'on an error in tool search'],
    [{ kinds: ['tool', 'llm'], namePattern: 'search*' } as const, 'before any tool or model call named search*'],
    [{ where: 'input.q == 1', hits: '>= 3', once: true, log: true }, 'before every node, when input.q == 1, at hit >= 3, once, log only'],
  ] as const)('says %j as “%s”', (matcher, words) => expect(breakpointWords(matcher as BreakpointMatcher)).toBe(words))
})

describe('sameBreakpoint', () => {
  it('takes an absent point for before', () => {
    expect(sameBreakpoint({ kind: 'tool' }, { kind: 'tool', point: 'before' })).toBe(true)
    expect(sameBreakpoint({ kind: 'tool' }, { kind: 'tool', point: 'error' })).toBe(false)
  })

  it('never takes a matcher with a further condition for a plain one', () => {
    expect(sameBreakpoint({ kind: 'tool' }, { kind: 'tool', where: 'input.q' })).toBe(false)
    expect(findBreakpoint([{ kind: 'tool', once: true }], { kind: 'tool' })).toBeUndefined()
  })
})

it('finds the wider breakpoint that already holds a node', () => {
  const node = { kind: 'tool', name: 'search' } as const
  expect(coveringBreakpoint([{ point: 'error' }, { kind: 'tool' }], node)).toEqual({ kind: 'tool' })
  expect(coveringBreakpoint([{ kind: 'tool', name: 'search', point: 'before' }], node)).toBeUndefined()
  expect(coveringBreakpoint([{ kind: 'llm' }], node)).toBeUndefined()
})

it.each([
  { kind: 'tool', point: 'before' },
  { id: 'bp-1', namePattern: 'a*' },
] as const)('mutes %j and gives it back as it was', (matcher) => {
  const off = muted(matcher)
  expect(off).toMatchObject({ enabled: false })
  expect([isMuted(matcher), isMuted(off)]).toEqual([false, true])
  expect(unmuted(off)).toEqual(matcher)
})
