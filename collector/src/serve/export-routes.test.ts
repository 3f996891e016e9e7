import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Collector } from '../collector.ts'
import { ask, askJson, post, testCollector } from '../testing/collector.ts'
import { TRACE, traceRequest } from '../testing/spans.ts'

let collector: Collector
beforeAll(async () => {
  collector = await testCollector()
  const call = { 'gen_ai.tool.call.arguments': '{"api_key":"canary","city":"Rome"}' }
  await post(collector.port, traceRequest([{ id: 1, type: 'tool', name: 'search', end: 5, attributes: call }]))
})
afterAll(() => collector.stop())

it.each(['otlp-json', 'ndjson'])('tells of an export as %s which values are not in it', async (format) => {
  const exported = (await ask(collector.port, `/api/runs/${TRACE}/export?format=${format}`)).body.toString()
  expect([exported.includes('canary'), exported.includes('Rome')]).toEqual([false, true])
  const { redacted } = await askJson(collector.port, `/api/runs/${TRACE}/export/redacted?format=${format}`)
  expect(redacted).toEqual([{ key: 'api_key', count: exported.split('__REDACTED__').length - 1 }])
})

it('refuses a format and a run that there is not', async () => {
  expect((await ask(collector.port, `/api/runs/${TRACE}/export/redacted?format=pdf`)).status).toBe(400)
  expect((await ask(collector.port, '/api/runs/7/export/redacted')).status).toBe(404)
})
