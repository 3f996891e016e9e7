import { describe, expect, it } from 'vitest'
import { findForbiddenMarker } from './markers.ts'

describe('the marks of a value that is not the value', () => {
  it.each([
    ['the placeholder itself', '__REDACTED__', 'placeholder'],
    ['the placeholder inside a text', { headers: ['Bearer __REDACTED__'] }, 'placeholder'],
    ['the placeholder as a key', { __REDACTED__: 1 }, 'placeholder'],
    ['our cut text', { a: [{ b: 'long…[graphmind: truncated]' }] }, 'truncated'],
    ['our cut object', [{ __graphmindTruncated: true, bytes: 9, preview: '' }], 'truncated'],
    ['a LangGraph note', { __graphmind: 'unserializable' }, 'truncated'],
    ['a Python cut', 'abc…[truncated]', 'truncated'],
    ['bytes left out', { image: '<2048 bytes>' }, 'truncated'],
    ['a depth limit', ['…[depth limit]'], 'truncated'],
    ['keys left out', '…: [12 more keys]', 'truncated'],
    ['items left out', '…[3 more]', 'truncated'],
  ])('finds %s', (_name, value, expected) => {
    expect(findForbiddenMarker(value)).toBe(expected)
  })

  it.each([[null], [undefined], [42], ['<b>bytes</b>'], [{ truncated: true }], [['a', { b: 'c…' }]], ['more [truncated] words']])(
    'lets %j pass',
    (value) => {
      expect(findForbiddenMarker(value)).toBeUndefined()
    },
  )

  it('copes with nesting deeper than the stack and with a value that holds itself', () => {
    let deep: unknown = '__REDACTED__'
    for (let level = 0; level < 200_000; level += 1) deep = [deep]
    expect(findForbiddenMarker(deep)).toBe('placeholder')
    const ring: Record<string, unknown> = {}
    ring['self'] = ring
    expect(findForbiddenMarker(ring)).toBeUndefined()
  })
})
