import { describe, expect, it } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

describe('ByteBudget', () => {
  it('takes bytes up to its size, and again once they are given back', () => {
    const budget = new ByteBudget(10)
    expect([budget.take(6), budget.take(4), budget.take(1)]).toEqual([true, true, false])
    budget.give(4)
    expect([budget.take(5), budget.take(4), budget.used]).toEqual([false, true, 10])
  })

  it('always has room for one body, however big', () => {
    expect(new ByteBudget(10).take(11)).toBe(true)
  })
})
