import { describe, expect, it } from 'vitest'
import { createWarnings } from './warnings.ts'

describe('warnings', () => {
  it('come at most once a kind in each interval', () => {
    let nowMs = 0
    const lines: string[] = []
    const warn = createWarnings({ warn: (line) => lines.push(line) }, 1000, () => nowMs)
    warn('a', 'first')
    warn('a', 'second')
    warn('b', 'other kind')
    nowMs = 1000
    warn('a', 'third')
    expect(lines).toEqual(['[graphmind] first', '[graphmind] other kind', '[graphmind] third'])
  })

  it('do not let a broken logger reach the host', () => {
    let asked = 0
    const logger = {
      warn() {
        asked += 1
        throw new Error('no log')
      },
    }
    const warn = createWarnings(logger, 0, () => 0)
    warn('a', 'x')
    warn('a', 'y')
    expect(asked).toBe(1)
  })
})
