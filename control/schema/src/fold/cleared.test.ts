import { describe, expect, it } from 'vitest'
import { event, finished, fold, started } from '../test-support/story.ts'

const STEP = 'llm:step'
const failed = event('node.error', { nodeId: STEP, instanceId: 'a', error: { name: 'Error', message: 'boom' } })
const first = started('a', STEP, { input: 'hi', model: 'm', responseId: 'r' })
const end = finished('a', STEP, { output: 'yes', usage: { inputTokens: 1, outputTokens: 2 }, model: 'm-1', hook: 'x' })

describe('a cleared field', () => {
  it('holds no longer, whichever event said it', () => {
    const run = fold(first, end, finished('a', STEP, { cleared: ['input', 'responseId', 'usage', 'hook', 'model'] }))
    const instance = run.instances.get('a')
    expect(instance).toMatchObject({ status: 'ok', output: 'yes', durationMs: 10, extra: {} })
    for (const field of ['input', 'usage', 'model']) expect(instance).not.toHaveProperty(field)
  })

  it('may be said anew in the same event', () => {
    const run = fold(first, started('a', STEP, { cleared: ['model', 'input'], model: 'other' }))
    expect(run.instances.get('a')).toMatchObject({ model: 'other' })
    expect(run.instances.get('a')).not.toHaveProperty('input')
  })

  it('`error` takes back the failure', () => {
    expect(fold(first, failed, finished('a', STEP, { cleared: ['error'] })).instances.get('a')).toMatchObject({ status: 'ok', errors: [] })
  })

  it('`status` takes back the end, but not what it said of the start', () => {
    const instance = fold(first, end, started('a', STEP, { cleared: ['status', 'output', 'usage'] })).instances.get('a')
    expect(instance).toMatchObject({ status: 'running', input: 'hi', model: 'm-1', extra: { responseId: 'r', hook: 'x' } })
    for (const field of ['output', 'usage', 'endedAt', 'durationMs']) expect(instance).not.toHaveProperty(field)
  })

  it('`*` takes back everything but who and where the instance is', () => {
    const instance = fold(first, failed, end, started('a', STEP, { cleared: ['*'] })).instances.get('a')
    expect(instance).toMatchObject({ nodeId: STEP, status: 'running', errors: [], extra: {} })
    for (const field of ['input', 'output', 'model', 'usage']) expect(instance).not.toHaveProperty(field)
  })

  it('never takes the instance’s identity', () => {
    const run = fold(first, started('a', STEP, { cleared: ['nodeId', 'kind', 'name', 'instanceId', 'durationMs'] }))
    expect(run.instances.get('a')).toMatchObject({ nodeId: STEP, kind: 'llm', name: 'step' })
  })
})
