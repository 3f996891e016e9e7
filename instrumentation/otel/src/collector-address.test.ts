import { describe, expect, it } from 'vitest'
import { findCollector } from './collector-address.ts'

const nobody = () => Promise.resolve(undefined)
const graphmindAt = (base: string) => (asked: string) => Promise.resolve(asked === base ? { ok: true, name: 'graphmind' } : { ok: true })

describe('the collector’s address', () => {
  it.each([
    ['ws://127.0.0.1:9000/ingest', 'ws://127.0.0.1:9000/ingest', 'http://127.0.0.1:9000'],
    ['http://localhost:4747', 'ws://localhost:4747/ingest', 'http://localhost:4747'],
    ['wss://debug.example/gm/ingest', 'wss://debug.example/gm/ingest', 'https://debug.example/gm'],
  ])('is what GRAPHMIND_URL=%s says', (url, channel, base) => {
    expect(findCollector(undefined, { GRAPHMIND_URL: url }, nobody)).toEqual({ channel, base })
  })

  it('is what the code says before what the environment says', () => {
    expect(findCollector('ws://a:1/ingest', { GRAPHMIND_URL: 'ws://b:2/ingest' }, nobody)).toMatchObject({ base: 'http://a:1' })
  })

  it.each(['', 'not an address', 'ftp://x'])('is the default when GRAPHMIND_URL is %j', (url) => {
    expect(findCollector(undefined, { GRAPHMIND_URL: url }, nobody)).toEqual({
      channel: 'ws://127.0.0.1:4747/ingest',
      base: 'http://127.0.0.1:4747',
    })
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://127.0.0.1:4318/v1/traces'],
  ])('is %s when a collector answers there', async (name, endpoint) => {
    const found = await findCollector(undefined, { [name]: endpoint }, graphmindAt('http://127.0.0.1:4318'))
    expect(found).toEqual({ channel: 'ws://127.0.0.1:4318/ingest', base: 'http://127.0.0.1:4318' })
  })

  it('is the default when somebody else answers at the endpoint', async () => {
    const found = await findCollector(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://backend:4318' }, graphmindAt('http://other'))
    expect(found).toMatchObject({ base: 'http://127.0.0.1:4747' })
  })

  it('is known without asking when the endpoint is the default', () => {
    expect(findCollector(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4747' }, nobody)).not.toBeInstanceOf(Promise)
  })
})
