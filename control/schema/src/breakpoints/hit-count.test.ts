import { describe, expect, it } from 'vitest'
import { parseHitCount } from './hit-count.ts'

const upToTen = (text: string) => {
  const parsed = parseHitCount(text)
  return parsed.ok ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter(parsed.holds) : parsed.code
}

describe('a hit count', () => {
  it.each<[string, readonly number[]]>([
    ['3', [3]],
    ['= 3', [3]],
    ['==3', [3]],
    ['>= 9', [9, 10]],
    ['> 9', [10]],
    ['<= 2', [1, 2]],
    [' < 2 ', [1]],
    ['% 5', [5, 10]],
    ['%4', [4, 8]],
  ])('“%s” holds at hits %j of ten', (text, hits) => {
    expect(upToTen(text)).toEqual(hits)
  })

  it.each(['', 'three', '>=', '3 3', '-1', '1.5', '% 0', '=> 3', '!= 3', '9999999999'])('refuses “%s” and says what to write', (text) => {
    const parsed = parseHitCount(text)
    expect(parsed).toMatchObject({ ok: false, code: 'BAD_HIT_COUNT', problem: expect.stringContaining('“>= 3”') })
  })
})
