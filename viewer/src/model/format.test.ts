import { describe, expect, it } from 'vitest'
import { aboutCost, ago, agoAsOf, cost, count, duration, MISSING, size, ticking, wholeSeconds } from './format.ts'

describe('duration', () => {
  it.each([
    [undefined, MISSING],
    [null, MISSING],
    [0, '0 ms'],
    [0.4219, '0.422 ms'],
    [412, '412 ms'],
    [999.7, '1 s'],
    [12_444, '12.4 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_720_000, '1 h 2 min'],
    [-3, '0 ms'],
  ])('shows %s ms as %s', (ms, shown) => expect(duration(ms)).toBe(shown))

  it('counts a running time in tenths and never below zero', () => {
    expect(ticking(1234)).toBe('1.2 s')
    expect(ticking(-50)).toBe('0.0 s')
    expect(ticking(61_900)).toBe('1 min 1 s')
    expect(wholeSeconds(300)).toBe('0 s')
  })
})

describe('numbers', () => {
  it.each([
    [0, '0'],
    [847, '847'],
    [18_240, '18.2k'],
    [999_600, '1M'],
    [undefined, MISSING],
  ])('shows the count %s as %s', (value, shown) => expect(count(value)).toBe(shown))

  it('keeps a free call apart from an unknown cost', () => {
    expect(cost(0)).toBe('$0')
    expect(cost(undefined)).toBe(MISSING)
    expect(cost(0.0412)).toBe('$0.0412')
    expect(cost(0.00001)).toBe('<$0.0001')
    expect([aboutCost(0.00001), aboutCost(0.041), aboutCost(0)]).toEqual(['<$0.0001', '≈ $0.041', '≈ $0'])
    expect(cost(3.5)).toBe('$3.50')
  })

  it('tells sizes and ages in words', () => {
    expect(size(512)).toBe('512 B')
    expect(size(5_200_000)).toBe('5.2 MB')
    expect(ago(0, 3000)).toBe('just now')
    expect(ago(0, 200_000)).toBe('3 min ago')
  })

  it('stands still as long as it says the same', () => {
    for (const nowMs of [3000, 58_000, 200_000, 7_300_000, 90_000_000]) expect(ago(0, agoAsOf(0, nowMs))).toBe(ago(0, nowMs))
    expect(agoAsOf(5, 60_005)).toBe(agoAsOf(5, 119_000))
    expect(agoAsOf(5, 120_005)).not.toBe(agoAsOf(5, 119_000))
    expect(agoAsOf(5, 0)).toBe(5)
  })
})
