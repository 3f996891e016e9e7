import { describe, expect, it } from 'vitest'
import { hasDisplay } from './serve/open-browser.ts'
import { type ServeFlags, serveSettings } from './settings.ts'

const settings = (flags: Partial<ServeFlags> = {}, environment: Record<string, string> = {}) =>
  serveSettings({ otlpPorts: true, editInput: true, ...flags }, environment, 'agent-token')

describe('serveSettings', () => {
  it('has the contract’s defaults', () => {
    expect(settings()).toMatchObject({
      ok: true,
      value: {
        port: 4747,
        db: expect.stringMatching(/\.graphmind[/\\]graphmind\.db$/),
        otlpPorts: true,
        breakpoints: [{ point: 'error' }],
        allowedHosts: [],
      },
    })
  })

  it('lets agents look and not act, unless --allow-control says how far', () => {
    expect(settings()).toMatchObject({ value: { agent: { token: 'agent-token', level: 'off' }, editInput: true } })
    for (const level of ['off', 'resume', 'inject', 'edit'])
      expect(settings({ allowControl: level })).toMatchObject({ value: { agent: { level } } })
    expect(settings({ allowControl: 'all' })).toMatchObject({
      ok: false,
      problem: { message: '--allow-control takes off, resume, inject, edit, not "all".' },
    })
  })

  it('lets a flag beat the environment', () => {
    const environment = { GRAPHMIND_DB: '/env.db', GRAPHMIND_PAUSE_ON_ERROR: 'off' }
    expect(settings({}, environment)).toMatchObject({ value: { db: '/env.db', breakpoints: [] } })
    expect(settings({ db: '/flag.db', pauseOnError: 'tool' }, environment)).toMatchObject({
      value: { db: '/flag.db', breakpoints: [{ kind: 'tool', point: 'error' }] },
    })
  })

  it.each([
    [{}, {}, undefined],
    [{ host: 'localhost' }, {}, undefined],
    [{ host: '0.0.0.0' }, {}, '0.0.0.0'],
    [{}, { GRAPHMIND_HOST: '192.168.1.5' }, '192.168.1.5'],
    [{ host: '::' }, { GRAPHMIND_HOST: '192.168.1.5' }, '::'],
  ])('binds for %o and %o: %s', (flags, environment, host) => {
    const read = settings(flags, environment as Record<string, string>)
    expect(read.ok && read.value.host).toBe(host)
  })

  it('refuses a name to listen on, and a token that is easily guessed or needs escaping', () => {
    expect(settings({ host: 'example.com' })).toMatchObject({ ok: false, problem: { message: expect.stringContaining('IP address') } })
    for (const token of ['short', 'with blank and more', 'ünicode-token-here']) {
      const refused = settings({}, { GRAPHMIND_TOKEN: token })
      expect(refused).toMatchObject({ ok: false, problem: { code: 'token' } })
      expect(JSON.stringify(refused)).not.toContain(token)
    }
    expect(settings({}, { GRAPHMIND_TOKEN: 'long-enough.to_be~ok' })).toMatchObject({ value: { token: 'long-enough.to_be~ok' } })
  })

  it('takes a variable set to nothing for one that is not set', () => {
    const unset = {
      GRAPHMIND_DB: '',
      GRAPHMIND_PAUSE_ON_ERROR: '',
      GRAPHMIND_ABANDON_GRACE_MS: '',
      GRAPHMIND_VIEWER_DIST: '',
      GRAPHMIND_ALLOWED_HOSTS: '',
    }
    expect(settings({}, unset)).toEqual(settings())
  })

  it('reads lists and times from the environment', () => {
    const environment = {
      GRAPHMIND_ALLOWED_HOSTS: ' Box.test:1, other ',
      GRAPHMIND_ALLOWED_ORIGINS: '*',
      GRAPHMIND_ABANDON_GRACE_MS: '250',
      GRAPHMIND_VIEWER_DIST: '/v',
    }
    expect(settings({}, environment)).toMatchObject({
      value: { allowedHosts: ['box.test:1', 'other'], allowedOrigins: ['*'], abandonGraceMs: 250, viewerDist: '/v' },
    })
  })

  it.each<[string, Partial<ServeFlags>, Record<string, string>]>([
    ['port', { port: 'x' }, {}],
    ['port', { port: '65536' }, {}],
    ['pause-on-error', { pauseOnError: 'tools' }, {}],
    ['pause-on-error', {}, { GRAPHMIND_PAUSE_ON_ERROR: 'yes' }],
    ['grace', {}, { GRAPHMIND_ABANDON_GRACE_MS: 'soon' }],
  ])('refuses a bad %s instead of guessing', (code, flags, environment) => {
    expect(settings(flags, environment)).toMatchObject({ ok: false, problem: { code } })
  })
})

describe('hasDisplay', () => {
  it('expects a browser only where a person looks at a screen', () => {
    expect(hasDisplay({ DISPLAY: ':0' }, 'linux', true)).toBe(true)
    expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true)).toBe(true)
    expect(hasDisplay({}, 'darwin', true)).toBe(true)
    expect(hasDisplay({}, 'linux', true)).toBe(false)
    expect(hasDisplay({ DISPLAY: ':0' }, 'linux', false)).toBe(false)
    expect(hasDisplay({ DISPLAY: ':0', CI: '1' }, 'linux', true)).toBe(false)
  })
})
