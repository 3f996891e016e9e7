import { describe, expect, it } from 'vitest'
import { describeExit, exitCodeOf } from './exit.ts'

describe('the end of a server', () => {
  it('has a code for scripts and words for people', () => {
    expect(exitCodeOf({ kind: 'code', code: 7 })).toBe(7)
    expect(exitCodeOf({ kind: 'signal', signal: 'SIGTERM' })).toBe(143)
    expect(exitCodeOf({ kind: 'not-started', reason: 'x' })).toBe(127)
    expect(describeExit({ kind: 'code', code: 3221225477 })).toBe('exited with code 3221225477 (STATUS_ACCESS_VIOLATION)')
    expect(describeExit({ kind: 'signal', signal: 'SIGSEGV' })).toBe('was ended by SIGSEGV')
  })
})
