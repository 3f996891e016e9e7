import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { holdNotices } from './hold-notices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a hold', () => {
  it('is said when it begins, after 10, 30 and 60 s, each minute, and when it ends', () => {
    const said: string[] = []
    const holding = holdNotices(
      (line) => said.push(line),
      'http://127.0.0.1:4747',
      () => Date.now(),
    )
    const notice = holding('tools/call #5', 'error')
    expect(said).toEqual(['HOLDING tools/call #5 at the error gate — resume it in http://127.0.0.1:4747'])
    vi.advanceTimersByTime(185_000)
    notice.ended('inject')
    vi.advanceTimersByTime(600_000)
    expect(said.slice(1)).toEqual([
      ...['10.0', '30.0', '60.0', '120.0', '180.0'].map(
        (time) => `STILL HOLDING tools/call #5 at the error gate, for ${time} s — resume it in http://127.0.0.1:4747`,
      ),
      'RELEASED tools/call #5 at the error gate after 185.0 s: inject',
    ])
  })
})
