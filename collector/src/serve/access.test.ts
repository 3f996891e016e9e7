import { describe, expect, it } from 'vitest'
import { createAccess, isLoopback, makeToken } from './access.ts'

const TOKEN = 'secret-of-sixteen'

describe('access by token', () => {
  it('lets everybody in where there is none', () => {
    expect(createAccess(undefined).callerOf({})).toEqual({ ok: true, value: { principal: 'anonymous', level: 'edit' } })
  })

  it.each([
    ['the header', { authorization: `Bearer ${TOKEN}` }],
    ['the header in other letters', { authorization: `bearer  ${TOKEN}` }],
    ['the subprotocol of a browser', { 'sec-websocket-protocol': `graphmind, graphmind.token.${TOKEN}` }],
  ])('takes it from %s', (_where, headers) => {
    expect(createAccess(TOKEN).callerOf(headers)).toEqual({ ok: true, value: { principal: 'viewer', level: 'edit' } })
    expect(createAccess(TOKEN).mayReport(headers).ok).toBe(true)
  })

  it.each([
    ['nothing', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['a part of it', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['more than it', { authorization: `Bearer ${TOKEN}x` }],
    ['only our own subprotocol', { 'sec-websocket-protocol': 'graphmind' }],
    ['a wrong subprotocol', { 'sec-websocket-protocol': 'graphmind, graphmind.token.' }],
  ])('refuses %s in words that do not repeat it', (_what, headers) => {
    const refused = createAccess(TOKEN).callerOf(headers)
    expect(createAccess(TOKEN).mayReport(headers)).toEqual(refused)
    expect(refused).toMatchObject({ ok: false, problem: { code: 'token' } })
    expect(JSON.stringify(refused)).not.toContain(TOKEN.slice(0, 6))
  })

  it('knows agents by a token of their own, which goes as far as was allowed', () => {
    const agent = { token: 'agent-of-sixteen', level: 'resume' } as const
    const shown = { authorization: `Bearer ${agent.token}` }
    for (const token of [undefined, TOKEN])
      expect(createAccess(token, agent).callerOf(shown)).toEqual({ ok: true, value: { principal: 'agent', level: 'resume' } })
  })

  it('lets nobody ask with a token that is not known, even where none is needed; programs may report with any', () => {
    const stale = { authorization: 'Bearer agent-of-yesterday' }
    expect(createAccess(undefined).callerOf(stale)).toMatchObject({ ok: false, problem: { code: 'token' } })
    expect(createAccess(undefined).mayReport(stale).ok).toBe(true)
  })

  it('makes a new one each time, in characters that need no escaping', () => {
    const [one, other] = [makeToken(), makeToken()]
    expect(one).toMatch(/^[\w-]{24}$/)
    expect(other).not.toBe(one)
  })

  it.each(['127.0.0.1', '127.3.2.1', '::1'])('knows that only this machine reaches %s', (host) => expect(isLoopback(host)).toBe(true))
  it.each(['0.0.0.0', '::', '192.168.1.2', '::ffff:127.0.0.1', 'fe80::1'])('knows that others reach %s', (host) =>
    expect(isLoopback(host)).toBe(false),
  )
})
