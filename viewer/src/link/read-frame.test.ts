import { describe, expect, it } from 'vitest'
import { readFrame } from './read-frame.ts'

const read = (frame: unknown) => readFrame(JSON.stringify(frame))
const envelope = {
  gm: 1,
  seq: 3,
  ts: 5,
  runId: 'r',
  type: 'node.started',
  payload: { nodeId: 'n', kind: 'tool', name: 'n', instanceId: 'i' },
}

describe('readFrame', () => {
  it('takes what the collector says on connect', () => {
    const welcome = { type: 'welcome', versions: { protocol: 1, server: '0.7.0' }, breakpoints: [{ point: 'error' }], mode: 'run' }
    expect(read(welcome)).toEqual({ ok: true, message: welcome })
  })

  it('takes events of unknown types, so that a newer collector can be looked at', () => {
    const unknown = { ...envelope, type: 'agent.dreamt', payload: { of: 'sheep' } }
    expect(read({ type: 'event', runId: 'r', after: 2, envelope: unknown })).toMatchObject({
      ok: true,
      message: { after: 2, envelope: unknown },
    })
  })

  it('takes a run of an older collector, with the plainest value for what it does not send', () => {
    const reading = read({ type: 'run.update', run: { id: 'r', app: 'planner', startedAt: 5, status: 'running' } })
    expect(reading).toMatchObject({ ok: true, message: { run: { id: 'r', name: 'planner', category: 'agent', live: false, models: [] } } })
    expect(reading.ok && reading.message.type === 'run.update' && 'usage' in reading.message.run).toBe(false)
  })

  it('leaves a broken run out of the list and keeps the others', () => {
    const reading = read({ type: 'runs', runs: [{ id: 'r' }, { id: 's', startedAt: 1, status: 'ok' }] })
    expect(reading.ok && reading.message.type === 'runs' && reading.message.runs.map((run) => run.id)).toEqual(['s'])
  })

  it.each([
    ['{', false],
    ['[]', false],
    ['{"type":"telepathy"}', true],
    ['{"type":"state","mode":"fly","breakpoints":[]}', false],
    ['{"type":"event","runId":"r","envelope":{"gm":1}}', false],
    ['{"type":"sheet","runId":"r","seq":0,"ts":0,"shapes":[]}', false],
    ['{"type":"sheet","runId":"","seq":0,"ts":0,"shapes":[],"rows":[]}', false],
    ['{"type":"resume.result","runId":"r","pauseId":"p","outcome":"maybe"}', false],
  ])('refuses %s without throwing', (text, ignored) => {
    expect(readFrame(text)).toMatchObject({ ok: false, ignored, problem: expect.any(String) })
  })

  it('reads the events of a sheet, each with the seq before it', () => {
    const shapes = [
      ['run.finished', [['status', 'ok']]],
      ['run.finished', [['status']]],
    ]
    const rows = [
      [0, 0],
      [1, 1, 'odd'],
      [0, 2],
    ]
    expect(read({ type: 'sheet', runId: 'r', after: 3, seq: 4, ts: 10, shapes, rows })).toMatchObject({
      ok: true,
      message: {
        type: 'events',
        runId: 'r',
        events: [{ after: 3, envelope: { seq: 4, ts: 10 } }, undefined, { after: 4, envelope: { seq: 6, payload: { status: 'ok' } } }],
      },
    })
  })
})
