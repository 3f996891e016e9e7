import { describe, expect, it } from 'vitest'
import { createGuard } from './guard.ts'

const guard = createGuard({
  ports: () => new Set([4747, 4318]),
  isReachable: false,
  allowedHosts: ['box.test', 'other.test:9'],
  allowedOrigins: ['https://app.test'],
})
const allows = (host: string | undefined, origin?: string) =>
  guard({ ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) }).ok

describe('guard', () => {
  it.each([
    '127.0.0.1:4747',
    'localhost:4747',
    'LocalHost:4318',
    '[::1]:4747',
    '127.8.9.1:4747',
    'box.test',
    'box.test:80',
    'other.test:9',
  ])('lets Host %s pass', (host) => expect(allows(host)).toBe(true))

  it.each([
    undefined,
    '',
    'localhost',
    '127.0.0.1:4748',
    'evil.test:4747',
    'localhost.evil.test:4747',
    'localhost6:4747',
    '10.0.0.1:4747',
    '127.0.0.1.evil.test:4747',
    'other.test',
    '0.0.0.0:4747',
    '[::]:4747',
    'localhost:4747:4747',
  ])('refuses Host %s', (host) => expect(allows(host)).toBe(false))

  it.each([undefined, 'http://127.0.0.1:4747', 'http://localhost:4747', 'http://localhost:4318', 'https://app.test', 'HTTPS://APP.TEST'])(
    'lets Origin %s pass',
    (origin) => expect(allows('127.0.0.1:4747', origin)).toBe(true),
  )

  it.each([
    'null',
    '',
    'http://evil.test',
    'http://localhost:3000',
    'http://localhost',
    'file://',
    'http://127.0.0.1:4747.evil.test',
    'https://app.test.evil.test',
    'http://box.test',
  ])('refuses Origin %s', (origin) => expect(allows('127.0.0.1:4747', origin)).toBe(false))

  it('lets a page of an allowed host talk to that host', () => {
    expect(allows('box.test:4747', 'http://box.test:4747')).toBe(true)
    expect(allows('box.test:4747', 'http://evil.test:4747')).toBe(false)
  })

  it('lets any page in where the user said *', () => {
    const open = createGuard({ ports: () => new Set([4747]), isReachable: false, allowedHosts: [], allowedOrigins: ['*'] })
    expect(open({ host: 'localhost:4747', origin: 'http://evil.test' }).ok).toBe(true)
    expect(open({ host: 'evil.test', origin: 'http://evil.test' }).ok).toBe(false)
  })
})

describe('guard where others can reach us', () => {
  const reachable = createGuard({ ports: () => new Set([4747]), isReachable: true, allowedHosts: ['box.test'], allowedOrigins: [] })

  it.each(['10.0.0.1:4747', '192.168.1.7:8080', '[fe80::1]:4747', 'localhost:8080', '127.0.0.1', 'box.test:9'])(
    'lets Host %s pass',
    (host) => expect(reachable({ host }).ok).toBe(true),
  )
  it.each(['evil.test:4747', '10.0.0.1.evil.test:4747', ''])('refuses Host %s, which a page could rebind', (host) =>
    expect(reachable({ host }).ok).toBe(false),
  )
  it('takes only the very address it was asked at for its own origin, or one of this machine', () => {
    const origin = (from: string) => reachable({ host: '10.0.0.1:4747', origin: from }).ok
    expect([origin('http://10.0.0.1:4747'), origin('http://evil.test'), origin('null')]).toEqual([true, false, false])
  })
})
