import { describe, expect, it } from 'vitest'
import { tokenUsage } from './usage.ts'

describe('tokenUsage', () => {
  it('is absent when nothing was counted, and never zero', () => {
    expect(tokenUsage({})).toBeUndefined()
    expect(tokenUsage({ total: 5 })).toBeUndefined()
  })

  it('keeps a zero that was reported', () => {
    expect(tokenUsage({ input: 0, output: 0, cacheRead: 0 })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      inclusive: true,
      cacheReadTokens: 0,
    })
  })

  it('derives a side from the total', () => {
    expect(tokenUsage({ input: 7, total: 10 })).toMatchObject({ inputTokens: 7, outputTokens: 3 })
    expect(tokenUsage({ output: 3, total: 10 })).toMatchObject({ inputTokens: 7, outputTokens: 3 })
  })
})
