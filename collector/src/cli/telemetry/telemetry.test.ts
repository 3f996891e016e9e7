import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '../../version.ts'
import { telemetryPolicy } from './policy.ts'
import { tellUse } from './telemetry.ts'

const URL_SET = { GRAPHMIND_TELEMETRY_URL: 'https://example.test/use' }

describe('telemetryPolicy', () => {
  it.each([
    [{}, 'nobody'],
    [{ GRAPHMIND_TELEMETRY: '1' }, 'nobody'],
    [URL_SET, 'address'],
    [{ ...URL_SET, GRAPHMIND_TELEMETRY: '1' }, 'address'],
    [{ ...URL_SET, GRAPHMIND_TELEMETRY: '' }, 'address'],
    [{ ...URL_SET, GRAPHMIND_TELEMETRY: '0' }, 'nobody'],
    [{ ...URL_SET, GRAPHMIND_TELEMETRY: 'False' }, 'nobody'],
    [{ ...URL_SET, CI: 'true' }, 'nobody'],
    [{ ...URL_SET, DO_NOT_TRACK: '1' }, 'nobody'],
    [{ ...URL_SET, DO_NOT_TRACK: '0' }, 'address'],
    [{ GRAPHMIND_TELEMETRY: 'log' }, 'stderr'],
    [{ ...URL_SET, GRAPHMIND_TELEMETRY: 'log', CI: '1' }, 'stderr'],
    [{ GRAPHMIND_TELEMETRY: 'log', DO_NOT_TRACK: 'true' }, 'nobody'],
    [{ GRAPHMIND_TELEMETRY_URL: 'file:///etc/passwd' }, 'nobody'],
    [{ GRAPHMIND_TELEMETRY_URL: 'not an address' }, 'nobody'],
  ])('tells %j to %s', (environment, to) => expect(telemetryPolicy(environment).to).toBe(to))
})

describe('tellUse', () => {
  let home: string
  const err: string[] = []
  const console = { out: () => undefined, err: (line: string) => err.push(line), isTerminal: false }
  beforeEach(() => {
    home = join(mkdtempSync(join(tmpdir(), 'graphmind-home-')), 'deeper')
    err.length = 0
  })
  afterEach(() => rmSync(join(home, '..'), { recursive: true, force: true }))

  it('prints the very record, with the same id each time', async () => {
    await tellUse('serve', { to: 'stderr' }, { GRAPHMIND_HOME: home }, console)
    await tellUse('runs', { to: 'stderr' }, { GRAPHMIND_HOME: home }, console)
    const [first, second] = err.map((line) => JSON.parse(line.replace('telemetry: ', '')))
    expect(first).toEqual({ event: 'serve', installId: expect.stringMatching(/^[0-9a-f-]{36}$/), version: VERSION, ts: expect.any(Number) })
    expect(second).toMatchObject({ event: 'runs', installId: first.installId })
    expect(readFileSync(join(home, 'install-id'), 'utf8').trim()).toBe(first.installId)
    expect(statSync(join(home, 'install-id')).mode & 0o777).toBe(0o600)
  })

  it('sends it once, and prints nothing', async () => {
    const bodies: unknown[] = []
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const piece of request) text += piece
      bodies.push(JSON.parse(text))
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const told = once(server, 'request')
    await tellUse('demo', { to: 'address', url: `http://127.0.0.1:${port}/use` }, { GRAPHMIND_HOME: home }, console)
    const [, response] = await told
    await once(response, 'close')
    server.close()
    expect(bodies).toMatchObject([{ event: 'demo' }])
    expect(Object.keys(bodies[0] as object)).toEqual(['event', 'installId', 'version', 'ts'])
    expect(err).toEqual([])
  })

  it('says nothing when nobody answers, or the home can’t be written', async () => {
    await tellUse('demo', { to: 'address', url: 'http://127.0.0.1:1/' }, { GRAPHMIND_HOME: home }, console)
    await tellUse('demo', { to: 'stderr' }, { GRAPHMIND_HOME: '/dev/null/home' }, console)
    expect(err).toEqual([])
  })

  it('makes no id where nothing is told', async () => {
    await tellUse('demo', { to: 'nobody' }, { GRAPHMIND_HOME: home }, console)
    expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined()
  })
})
