import { createRequire } from 'node:module'
import type * as Api from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { afterEach, expect, it } from 'vitest'
import { GraphMindSpanProcessor } from '../span-processor.ts'
import { type FakeCollector, startFakeCollector } from '../testing/fake-collector.ts'

const TOOL = { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' } }

let collector: FakeCollector
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
  await collector.close()
})

/** A second copy of the API, as a program has one when a package was linked or brings another version. */
function otherApi(): typeof Api {
  const require = createRequire(import.meta.url)
  const place = require.resolve('@opentelemetry/api')
  const folder = place.slice(0, place.indexOf('@opentelemetry/api'))
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(`${folder}@opentelemetry/api/`)) delete require.cache[file]
  }
  return require('@opentelemetry/api') as typeof Api
}

it('holds in a program that registers with another copy of the API, from its first call on', async () => {
  collector = await startFakeCollector({ breakpoints: [{ kind: 'tool' }] })
  const api = otherApi()
  const processor = new GraphMindSpanProcessor({ url: collector.url, env: {}, logger: { warn: () => undefined } })
  const provider = new BasicTracerProvider({ spanProcessors: [processor] })
  await processor.ready()
  api.trace.setGlobalTracerProvider(provider)
  cleanups.push(
    () => provider.shutdown(),
    () => api.trace.disable(),
  )
  const tracer = api.trace.getTracer('app')
  const result = tracer.startActiveSpan('search', TOOL, async () => 'real')
  collector.viewer.resume(await collector.viewer.event('exec.paused'), 'inject', { output: 'injected' })
  expect(await result).toBe('injected')
})

it('holds calls of tracers that the program takes from its registered provider itself', async () => {
  collector = await startFakeCollector({ breakpoints: [{ kind: 'tool' }] })
  const api = otherApi()
  const processor = new GraphMindSpanProcessor({ url: collector.url, env: {}, logger: { warn: () => undefined } })
  const provider = new BasicTracerProvider({ spanProcessors: [processor] })
  const early = provider.getTracer('early')
  await processor.ready()
  api.trace.setGlobalTracerProvider(provider)
  cleanups.push(
    () => provider.shutdown(),
    () => api.trace.disable(),
  )
  const result = provider.getTracer('app').startActiveSpan('search', TOOL, async () => 'real')
  collector.viewer.resume(await collector.viewer.event('exec.paused'), 'inject', { output: 'injected' })
  expect(await result).toBe('injected')
  expect(await early.startActiveSpan('too early', TOOL, async (span) => span.end())).toBeUndefined()
  expect((await collector.span('too early', 'end')).attributes['graphmind.ungated']).toContain('before that was registered')
})

it('leaves a provider alone that is frozen', async () => {
  collector = await startFakeCollector()
  const api = otherApi()
  const processor = new GraphMindSpanProcessor({ url: collector.url, env: {}, logger: { warn: () => undefined } })
  const provider = Object.freeze(new BasicTracerProvider({ spanProcessors: [processor] }))
  api.trace.setGlobalTracerProvider(provider)
  cleanups.push(
    () => provider.shutdown(),
    () => api.trace.disable(),
  )
  expect(api.trace.getTracer('app')).not.toBe(provider.getTracer('app'))
})

it('leaves the provider itself, and after shutdown the API too, as they were', async () => {
  collector = await startFakeCollector()
  const api = otherApi()
  const processor = new GraphMindSpanProcessor({ url: collector.url, env: {}, logger: { warn: () => undefined } })
  const provider = new BasicTracerProvider({ spanProcessors: [processor] })
  api.trace.setGlobalTracerProvider(provider)
  cleanups.push(() => api.trace.disable())
  const proxy = api.trace.getTracerProvider()
  expect(proxy).toBeInstanceOf(api.ProxyTracerProvider)
  expect((proxy as Api.ProxyTracerProvider).getDelegate()).toBe(provider)
  expect(api.trace.getTracer('app')).toBe(api.trace.getTracer('app'))
  expect(Object.keys(provider)).not.toContain('getTracer')
  expect(api.trace.getTracer('app')).toBe(provider.getTracer('app'))
  const held = provider.getTracer('app')
  await provider.shutdown()
  expect(Object.hasOwn(provider, 'getTracer')).toBe(false)
  expect(api.trace.getTracer('app')).toBe(provider.getTracer('app'))
  expect(provider.getTracer('app')).not.toBe(held)
})

it('leaves no trap behind when no provider was ever registered', async () => {
  collector = await startFakeCollector()
  const key = Symbol.for('opentelemetry.js.api.1')
  const before = Object.getOwnPropertyDescriptor(globalThis, key)
  Reflect.deleteProperty(globalThis, key)
  const processor = new GraphMindSpanProcessor({ url: collector.url, env: {}, logger: { warn: () => undefined } })
  await processor.shutdown()
  expect(Object.getOwnPropertyDescriptor(globalThis, key)).toBeUndefined()
  if (before !== undefined) Object.defineProperty(globalThis, key, before)
})
