import { describe, expect, it } from 'vitest'
import { spanWith } from '../testing/spans.ts'
import { failureOf, isAbort } from './failure.ts'

const exception = (type: string, message: string) => ({
  name: 'exception',
  timeNanos: 1n,
  attributes: { 'exception.type': type, 'exception.message': message },
})
const error = { code: 'error', message: 'wrapped' } as const

describe('failureOf', () => {
  it('takes the first exception as the cause when a wrapper follows', () => {
    const events = [exception('RangeError', 'No rooms'), exception('AI_ToolExecutionError', 'Error executing tool')]
    expect(failureOf(spanWith({}, { status: error, events }))).toEqual({ name: 'RangeError', message: 'No rooms' })
  })

  it('falls back to the status message, then to the type, and always says something', () => {
    expect(failureOf(spanWith({ 'error.type': '529' }, { status: error }))).toEqual({ name: '529', message: 'wrapped' })
    expect(failureOf(spanWith({ 'error.type': 'no_carrier' }))).toEqual({ name: 'no_carrier', message: 'no_carrier' })
    expect(failureOf(spanWith({}, { status: { code: 'error', message: undefined } }))?.message).not.toBe('')
  })

  it('takes an exception on a span without status for a failure, but not on one that says OK', () => {
    const events = [exception('TypeError', 'x')]
    expect(failureOf(spanWith({}, { events }))?.name).toBe('TypeError')
    expect(failureOf(spanWith({}, { events, status: { code: 'ok', message: undefined } }))).toBeUndefined()
  })

  it('knows the error by which a caller gives up', () => {
    expect(isAbort({ name: 'AbortError', message: '' })).toBe(true)
    expect(isAbort({ name: 'TypeError', message: 'aborted' })).toBe(false)
  })
})
