import { describe, expect, it } from 'vitest'
import type { HideSwitches } from '../switches.ts'
import { createRedactor } from './redact.ts'

const off: HideSwitches = { hideInputs: false, hideOutputs: false, hideToolArgs: false, hideToolResults: false }
const tool = { nodeId: 'tool:search', kind: 'tool', name: 'search', instanceId: 'i', input: { q: 'secret' } }
const model = { nodeId: 'llm:step', kind: 'llm', name: 'step', instanceId: 'i', input: { q: 'secret' } }

describe('redaction before the buffer', () => {
  it('hands payloads through untouched when no switch is on', () => {
    expect(createRedactor(off)('node.started', tool)).toBe(tool)
  })

  it('hides every input under HIDE_INPUTS, and says what it hid', () => {
    const redact = createRedactor({ ...off, hideInputs: true })
    expect(redact('node.started', model)).toEqual({ ...model, input: '__REDACTED__', redaction: { count: 1, keys: ['input'] } })
    expect(redact('exec.paused', { ...tool, pauseId: 'p' })).toMatchObject({ input: '__REDACTED__' })
    expect(redact('exec.resumed', { pauseId: 'p', nodeId: 'tool:search', edited: { after: { q: 'secret' } } })).toMatchObject({
      edited: { after: '__REDACTED__' },
    })
    expect(redact('node.finished', { nodeId: 'llm:step', output: 'shown' })).toEqual({ nodeId: 'llm:step', output: 'shown' })
  })

  it('hides every output under HIDE_OUTPUTS, streamed text and injected values included', () => {
    const redact = createRedactor({ ...off, hideOutputs: true })
    expect(redact('node.finished', { nodeId: 'llm:step', output: 'secret' })).toMatchObject({ output: '__REDACTED__' })
    expect(redact('exec.resumed', { pauseId: 'p', nodeId: 'llm:step', injected: { output: 'secret' } })).toMatchObject({
      injected: { output: '__REDACTED__' },
    })
    const deltas = [
      { t: 'text', v: 'secret' },
      { t: 'tool-args', v: '{}' },
    ]
    expect(redact('node.token', { nodeId: 'llm:step', deltas })).toEqual({
      nodeId: 'llm:step',
      deltas: [
        { t: 'text', v: '', chars: 6 },
        { t: 'tool-args', v: '', chars: 2 },
      ],
      redaction: { count: 1, keys: ['deltas'] },
    })
  })

  it('empties only streamed tool arguments under HIDE_INPUTS', () => {
    const deltas = [
      { t: 'text', v: 'shown' },
      { t: 'tool-args', v: '{"q":"secret"}' },
    ]
    expect(createRedactor({ ...off, hideInputs: true })('node.token', { nodeId: 'llm:step', deltas })).toMatchObject({
      deltas: [
        { t: 'text', v: 'shown' },
        { t: 'tool-args', v: '', chars: 14 },
      ],
    })
  })

  it('hides only tools under the tool switches', () => {
    const redact = createRedactor({ ...off, hideToolArgs: true, hideToolResults: true })
    expect(redact('node.started', tool)).toMatchObject({ input: '__REDACTED__' })
    expect(redact('node.started', model)).toBe(model)
    expect(redact('node.finished', { nodeId: 'tool:search', output: 'secret' })).toMatchObject({ output: '__REDACTED__' })
    expect(redact('node.finished', { nodeId: 'llm:step', output: 'shown' })).toMatchObject({ output: 'shown' })
  })

  it('remembers the kind of a node, and takes an unknown one for a tool', () => {
    const redact = createRedactor({ ...off, hideToolResults: true })
    redact('node.started', { nodeId: 'my-node', kind: 'chain', name: 'n', instanceId: 'i' })
    expect(redact('node.finished', { nodeId: 'my-node', output: 'shown' })).toMatchObject({ output: 'shown' })
    expect(redact('node.finished', { nodeId: 'never-seen', output: 'secret' })).toMatchObject({ output: '__REDACTED__' })
  })

  it('never touches an error or the caller’s own object', () => {
    const payload = { ...tool, error: { name: 'Error', message: 'shown' } }
    const redacted = createRedactor({ hideInputs: true, hideOutputs: true, hideToolArgs: true, hideToolResults: true })(
      'exec.paused',
      payload,
    )
    expect(redacted).toMatchObject({ error: { message: 'shown' } })
    expect(payload.input).toEqual({ q: 'secret' })
  })
})
