import { beforeEach, describe, expect, it } from 'vitest'
import { forgetToken, readToken, socketProtocols } from './token.ts'

describe('the server’s token', () => {
  beforeEach(() => {
    sessionStorage.clear()
    history.replaceState(null, '', '/run/7?tab=chat')
  })

  it('is taken from the link, kept for the tab, and gone from the address', () => {
    history.replaceState(null, '', '/run/7?tab=chat#token=abc_DEF-123')
    expect(readToken(window)).toBe('abc_DEF-123')
    expect(location.pathname + location.search + location.hash).toBe('/run/7?tab=chat')
    expect(readToken(window)).toBe('abc_DEF-123')
  })

  it('is forgotten once, and then there is none', () => {
    history.replaceState(null, '', '/#token=of-yesterday')
    expect([forgetToken(window), forgetToken(window), readToken(window)]).toEqual([true, false, undefined])
  })

  it('is none where the link has none, and then no subprotocol is asked for', () => {
    expect(readToken(window)).toBeUndefined()
    expect(socketProtocols(undefined)).toEqual([])
    expect(socketProtocols('abc')).toEqual(['graphmind', 'graphmind.token.abc'])
  })
})
