import { describe, expect, it } from 'vitest'
import type { ModelEnd } from './gate.ts'
import { judgeResult, readSmartSettings } from './smart.ts'

const ON = { onErrorResult: true, onTruncated: true }
const tool = (output: unknown) => judgeResult(ON, 'after', 'tool', { output })
const model = (end: ModelEnd | undefined) => judgeResult(ON, 'after', 'llm', { modelEnd: () => end })

describe('a tool’s result', () => {
  it.each<[unknown, string]>([
    [{ isError: true, content: [] }, 'Its isError is true.'],
    [{ success: false, secret: 'canary' }, 'Its success is false.'],
    [{ exit_code: 1 }, 'Its exit_code is not 0.'],
    [{ exitCode: -9, stdout: 'canary' }, 'Its exitCode is not 0.'],
    [{ exitStatus: 127 }, 'Its exitStatus is not 0.'],
    [{ error: 'canary' }, 'It holds nothing but an error.'],
    [{ error: { code: 404 } }, 'It holds nothing but an error.'],
    [Object.assign(Object.create(null), { error: 0 }), 'It holds nothing but an error.'],
  ])('%j is a failure', (output, detail) => {
    expect(tool(output)).toEqual({ rule: 'error-result', detail })
  })

  it.each<[unknown]>([
    [{ isError: 'true' }],
    [{ isError: false }],
    [{ success: 0 }],
    [{ success: true }],
    [{ exit_code: 0 }],
    [{ exitCode: '1' }],
    [{ exitStatus: Number.NaN }],
    [{ error: null }],
    [{ error: false }],
    [{ error: undefined }],
    [{ error: 'no rate', rate: 1 }],
    [{ Error: 'no' }],
    [
      new (class Reply {
        error = 'no'
      })(),
    ],
    ['{"isError":true}'],
    ['Error: no rate'],
    [[{ isError: true }]],
    [{ result: { success: false } }],
    [null],
    [undefined],
  ])('%j is none', (output) => {
    expect(tool(output)).toBeUndefined()
  })

  it('that can’t be read says nothing', () => {
    const output = {
      get success() {
        throw new Error('no')
      },
    }
    expect(tool(output)).toBeUndefined()
  })

  it('is looked at where there is one: after a tool, and at the error that a proxy made of it', () => {
    const output = { isError: true }
    expect(judgeResult(ON, 'error', 'tool', { output })).toMatchObject({ rule: 'error-result' })
    expect(judgeResult(ON, 'before', 'tool', { output })).toBeUndefined()
    expect(judgeResult(ON, 'after', 'llm', { output })).toBeUndefined()
    expect(judgeResult({ ...ON, onErrorResult: false }, 'after', 'tool', { output })).toBeUndefined()
  })
})

describe('a model’s answer', () => {
  it.each<[ModelEnd, string]>([
    [{ finishReason: 'length', toolCalls: 1, brokenCalls: 0 }, 'It ended with length and asked for 1 tool call.'],
    [
      { finishReason: 'content-filter', toolCalls: 2, brokenCalls: 1 },
      'It ended with content-filter and asked for 2 tool calls. The arguments of 1 are no whole JSON.',
    ],
  ])('%j was cut off in a tool call', (end, detail) => {
    expect(model(end)).toEqual({ rule: 'truncated-tool-call', detail })
    expect(detail.length).toBeLessThanOrEqual(200)
  })

  it.each<[ModelEnd | undefined]>([
    [{ finishReason: 'length', toolCalls: 0, brokenCalls: 0 }],
    [{ finishReason: 'stop', toolCalls: 1, brokenCalls: 0 }],
    [{ finishReason: 'tool-calls', toolCalls: 1, brokenCalls: 1 }],
    [{ finishReason: undefined, toolCalls: 1, brokenCalls: 0 }],
    [undefined],
  ])('%j was not', (end) => {
    expect(model(end)).toBeUndefined()
  })

  it('is asked for only where the rule applies', () => {
    const modelEnd = () => {
      throw new Error('asked')
    }
    expect(judgeResult(ON, 'before', 'llm', { modelEnd })).toBeUndefined()
    expect(judgeResult(ON, 'error', 'llm', { modelEnd })).toBeUndefined()
    expect(judgeResult(ON, 'after', 'tool', { modelEnd })).toBeUndefined()
    expect(judgeResult({ ...ON, onTruncated: false }, 'after', 'llm', { modelEnd })).toBeUndefined()
  })
})

describe('the switches of both rules', () => {
  const both = (text: string) => ({ GRAPHMIND_BREAK_ON_ERROR_RESULT: text, GRAPHMIND_BREAK_ON_TRUNCATED: text })

  it.each(['0', 'false', 'off', 'no', ' OFF '])('are off for %j, whatever the program says', (text) => {
    const options = { breakOnErrorResult: true, breakOnTruncated: true }
    expect(readSmartSettings(options, both(text))).toEqual({ onErrorResult: false, onTruncated: false })
  })

  it.each(['1', 'true', 'on', 'anything'])('are on for %j, whatever the program says', (text) => {
    expect(readSmartSettings({ breakOnErrorResult: false, breakOnTruncated: false }, both(text))).toEqual(ON)
  })

  it.each([{}, both(''), both(' ')])('are the program’s for %j, and on without one', (environment) => {
    expect(readSmartSettings({}, environment)).toEqual(ON)
    expect(readSmartSettings({ breakOnErrorResult: false }, environment)).toEqual({ onErrorResult: false, onTruncated: true })
    expect(readSmartSettings({ breakOnTruncated: false }, environment)).toEqual({ onErrorResult: true, onTruncated: false })
  })
})
