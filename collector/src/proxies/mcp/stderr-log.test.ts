import { describe, expect, it } from 'vitest'
import { StderrLog } from './stderr-log.ts'

describe('the log of the server', () => {
  it('keeps characters whole across pieces, and its last lines', () => {
    const told: string[] = []
    const log = new StderrLog((text) => told.push(text))
    const bytes = Buffer.from('grün\nzwei\ndrei\n')
    log.push(bytes.subarray(0, 3))
    log.push(bytes.subarray(3))
    log.end()
    expect(told.join('')).toBe('grün\nzwei\ndrei\n')
    expect(log.lastLines(2)).toEqual(['zwei', 'drei'])
  })

  it('keeps at most 200 lines and 32 KB', () => {
    const log = new StderrLog(() => undefined)
    log.push(Buffer.from('short\n'.repeat(300)))
    expect(log.lastLines(1000).length).toBe(200)
    log.push(Buffer.from('x'.repeat(100_000)))
    log.end()
    expect(log.lastLines(1000).join('\n').length).toBe(32 * 1024)
  })
})
