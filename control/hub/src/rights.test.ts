import { expect, it } from 'vitest'
import { FakeApp, FakeUi, hubInMemory, until } from '../test-support/fake-peers.ts'
import { CONTROL_LEVELS, type ControlLevel } from './rights.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

function heldCall(options: Parameters<typeof hubInMemory>[0] = {}) {
  const parts = hubInMemory(options)
  const app = new FakeApp(parts.hub).hello({ senderId: 's' })
  app.pause('p', TRACE, { input: { q: 1 } })
  return { ...parts, app }
}

const WISHES = [
  ['continue', 'resume', {}],
  ['retry', 'resume', {}],
  ['abort', 'resume', {}],
  ['inject', 'inject', { output: 1 }],
  ['continue', 'edit', { input: { q: 2 } }],
  ['retry', 'edit', { input: { q: 2 } }],
] as const

it.each(WISHES)('lets nobody %s below the level %s', async (action, needed, value) => {
  for (const level of CONTROL_LEVELS) {
    const { hub, app } = heldCall()
    const viewer = new FakeUi(hub, 'agent', level)
    viewer.resume(TRACE, { pauseId: 'p', action, ...value })
    const isLow = CONTROL_LEVELS.indexOf(level) < CONTROL_LEVELS.indexOf(needed)
    expect({ level, asked: app.received('exec.resume').length }).toEqual({ level, asked: isLow ? 0 : 1 })
    if (!isLow) continue
    await until(() => viewer.received('error').length === 1)
    expect(viewer.received('resume.result')).toMatchObject([{ outcome: 'refused', code: 'forbidden' }])
    expect(viewer.received('error')[0]).toMatchObject({ code: 'forbidden', message: expect.stringContaining(`--allow-control ${needed}`) })
    expect(hub.pauses()).toMatchObject([{ state: 'open' }])
  }
})

it.each(['breakpoint.set', 'breakpoint.clear', 'mode.set'] as const)('takes %s from nobody who may only look', (type) => {
  const payload = type === 'mode.set' ? { mode: 'step' as const } : { matcher: { name: 'search' } }
  const armed = (level: ControlLevel) => {
    const { hub } = hubInMemory()
    const viewer = new FakeUi(hub, 'agent', level)
    viewer.control(type, payload)
    return { codes: viewer.received('error').map(({ code }) => code), states: viewer.received('state').length }
  }
  expect(armed('off')).toEqual({ codes: ['forbidden'], states: 0 })
  expect(armed('resume')).toEqual({ codes: [], states: 1 })
})

it('lets nobody edit where that is switched off, and tells apps so', async () => {
  const { hub, app } = heldCall({ editInput: false })
  expect(app.received('hello.ack')).toMatchObject([{ hubCapabilities: ['run-claim'] }])
  const answer = await hub.resume({ runId: TRACE, pauseId: 'p', action: 'continue', input: { q: 2 }, principal: 'viewer' })
  expect(answer).toMatchObject({ outcome: 'refused', code: 'edit-refused' })
  expect(app.received('exec.resume')).toEqual([])
})
