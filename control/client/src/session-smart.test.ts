import { afterEach, describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import { PASS } from './gate/keeper.ts'
import type { SessionOptions } from './options.ts'
import { startFakeViewer } from './testing/fake-viewer.ts'

const search = { nodeId: 'tool:search', kind: 'tool', name: 'search' } as const
const step = { nodeId: 'llm:step', kind: 'llm', name: 'step' } as const
const cutOff = { modelEnd: () => ({ finishReason: 'length', toolCalls: 1, brokenCalls: 1 }) }

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function attachedPair(options: SessionOptions = {}) {
  const viewer = await startFakeViewer()
  cleanups.push(() => viewer.close())
  const session = createSession({ url: viewer.url, env: {}, logger: { warn: () => undefined }, ...options })
  cleanups.push(() => session.dispose())
  expect(await session.ready()).toBe(true)
  return { viewer, session }
}

describe('a result that asks for a person', () => {
  it('is held after a tool without any breakpoint, and can be replaced', async () => {
    const { viewer, session } = await attachedPair()
    const decision = session.gate('after', search, { output: { success: false } })
    const paused = await viewer.event('exec.paused')
    expect(paused.payload).toMatchObject({
      point: 'after',
      reason: 'breakpoint',
      output: { success: false },
      smart: { rule: 'error-result', detail: 'Its success is false.' },
    })
    expect(paused.payload.matcher).toBeUndefined()
    viewer.resume(paused, 'inject', { output: { success: true } })
    expect(await decision).toEqual({ action: 'inject', output: { success: true } })
  })

  it('is held after a model that was cut off in a tool call', async () => {
    const { viewer, session } = await attachedPair()
    const decision = session.gate('after', step, cutOff)
    const paused = await viewer.event('exec.paused')
    expect(paused.payload.smart).toMatchObject({ rule: 'truncated-tool-call' })
    viewer.resume(paused, 'continue')
    expect(await decision).toEqual({ action: 'continue' })
  })

  it.each<[string, SessionOptions, boolean]>([
    ['hideOutputs', { hideOutputs: true }, true],
    ['hideInputs', { hideInputs: true }, true],
    ['hideToolArgs', { hideToolArgs: true }, false],
    ['hideToolResults', { hideToolResults: true }, false],
  ])('says no more than its rule under %s, for the nodes that it covers', async (_switch, options, coversModels) => {
    const { viewer, session } = await attachedPair(options)
    void session.gate('after', search, { output: { error: 'canary' } })
    expect((await viewer.event('exec.paused')).payload.smart).toEqual({ rule: 'error-result' })
    void session.gate('after', step, cutOff)
    const { smart } = (await viewer.event('exec.paused', 2)).payload
    expect(smart?.detail === undefined).toBe(coversModels)
  })

  it('passes when its rule is switched off, and costs nothing while nobody is attached', async () => {
    const env = { GRAPHMIND_BREAK_ON_ERROR_RESULT: 'off', GRAPHMIND_BREAK_ON_TRUNCATED: '0' }
    const { viewer, session } = await attachedPair({ env })
    expect(session.gate('after', search, { output: { isError: true } })).toBe(PASS)
    expect(session.gate('after', step, cutOff)).toBe(PASS)
    expect(viewer.events('exec.paused')).toEqual([])

    const detached = createSession({ url: 'ws://127.0.0.1:1/ingest', env: {}, logger: { warn: () => undefined } })
    cleanups.push(() => detached.dispose())
    let isAsked = false
    const modelEnd = () => {
      isAsked = true
      return cutOff.modelEnd()
    }
    expect(detached.gate('after', search, { output: { isError: true } })).toBe(PASS)
    expect(detached.gate('after', step, { modelEnd })).toBe(PASS)
    expect(isAsked).toBe(false)
  })
})
