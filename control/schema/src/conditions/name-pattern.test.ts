import { describe, expect, it } from 'vitest'
import { compileNamePattern } from './name-pattern.ts'

async function fits(pattern: string, name: string) {
  const compiled = await compileNamePattern(pattern)
  return compiled.ok ? compiled.test(name) : compiled.problem
}

describe('a name pattern', () => {
  it.each<[string, string, boolean]>([
    ['search*', 'searchFlights', true],
    ['search*', 'research', false],
    ['*Flights', 'searchFlights', true],
    ['*a*b*', 'xxaxxbxx', true],
    ['get_?', 'get_x', true],
    ['get_?', 'get_', false],
    ['*', '', true],
    ['a.c', 'abc', false],
    ['🦊*', '🦊 den', true],
    ['/^db_/', 'db_read', true],
    ['/^DB_/i', 'db_read', true],
    ['/read$/', 'db_write', false],
    ['/usr/', 'look into usr', true],
  ])('%s and %s: %s', async (pattern, name, expected) => {
    expect(await fits(pattern, name)).toBe(expected)
  })

  it.each([
    ['/(/', 'Can’t use the pattern'],
    ['/(a)\\1/', 'back-references'],
    ['/a/g', 'flag'],
    ['*'.repeat(513), '512'],
    [`/${'a'.repeat(513)}/`, '512'],
  ])('that can’t be used says why: %s', async (pattern, words) => {
    expect(await fits(pattern, 'x')).toEqual(expect.stringContaining(words))
  })

  it('can’t stall the program', async () => {
    expect(await fits('/^(a+)+$/', `${'a'.repeat(50_000)}!`)).toBe(false)
    expect(await fits('*a*a*a*a*a*b', 'a'.repeat(20_000))).toBe(false)
  })
})
