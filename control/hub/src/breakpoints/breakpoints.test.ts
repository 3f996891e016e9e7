import { type BreakpointMatcher, EXTRA_CAPABILITIES } from '@graphmind-ai/schema'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeApp, FakeUi, hubInMemory } from '../../test-support/fake-peers.ts'

const all = [...EXTRA_CAPABILITIES]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function hubWith(...breakpoints: readonly BreakpointMatcher[]) {
  const parts = hubInMemory({ breakpoints })
  const viewer = new FakeUi(parts.hub)
  return {
    ...parts,
    viewer,
    /** What the viewer was told last. */
    told() {
      vi.advanceTimersByTime(100)
      return viewer.received('breakpoints').at(-1)?.breakpoints
    },
  }
}

describe('the state of a breakpoint', () => {
  it('is waiting, active or impossible, by what the connected programs can do', () => {
    const { hub, told } = hubWith({ id: 'bp-1', where: 'input.ok', hits: '3' })
    expect(told()).toEqual([{ id: 'bp-1', status: 'waiting', reason: 'No program is connected.', hits: 0 }])
    const old = new FakeApp(hub).hello()
    expect(told()).toMatchObject([{ status: 'impossible', reason: expect.stringContaining('bp-where, bp-hits') }])
    const able = new FakeApp(hub).hello({ capabilities: all })
    expect(told()).toMatchObject([{ status: 'active', reason: expect.stringMatching(/^1 of 2 .*bp-where, bp-hits/) }])
    old.disconnect()
    expect(told()).toEqual([{ id: 'bp-1', status: 'active', hits: 0 }])
    able.disconnect()
    expect(told()).toMatchObject([{ status: 'waiting' }])
  })

  it('is disabled where a person turned it off', () => {
    const { hub, told } = hubWith({ id: 'bp-1', enabled: false })
    new FakeApp(hub).hello()
    expect(told()).toEqual([{ id: 'bp-1', status: 'disabled', hits: 0 }])
  })

  it('counts hits, and names what was wrong until it can be asked again', () => {
    const { hub, told } = hubWith({ id: 'bp-1', log: true })
    const app = new FakeApp(hub).hello({ capabilities: all })
    const hit = { id: 'bp-1', nodeId: 'tool:search' }
    app.event('breakpoint.hit', { ...hit, logged: true }, 'run_1')
    app.event('breakpoint.hit', { ...hit, logged: true }, 'run_1')
    expect(told()).toEqual([{ id: 'bp-1', status: 'active', hits: 2 }])
    app.event('breakpoint.hit', { ...hit, error: 'no such overload' }, 'run_1')
    expect(told()).toMatchObject([{ id: 'bp-1', status: 'failed', hits: 2, lastError: 'no such overload' }])
    app.event('breakpoint.hit', { ...hit, logged: true }, 'run_1')
    expect(told()).toEqual([{ id: 'bp-1', status: 'active', hits: 3 }])
  })

  it('counts the holds of a breakpoint that reports no hits, and no hold twice', () => {
    const { hub, told } = hubWith({ kind: 'tool' }, { id: 'bp-1', name: 'search' })
    const able = new FakeApp(hub).hello({ capabilities: all, senderId: 'a' })
    able.pause('p1', 'run_1', { matcher: { kind: 'tool' } })
    able.event('breakpoint.hit', { id: 'bp-1', nodeId: 'tool:search' }, 'run_1')
    able.pause('p2', 'run_1', { matcher: { id: 'bp-1', name: 'search' } })
    able.pause('p2', 'run_1', { matcher: { id: 'bp-1', name: 'search' } })
    const base = new FakeApp(hub).hello()
    base.pause('p3', 'run_2', { matcher: { id: 'bp-1', name: 'search' } })
    expect(told()).toMatchObject([
      { id: '[["kind","tool"]]', hits: 1 },
      { id: 'bp-1', hits: 2 },
    ])
  })

  it('is told to viewers at most every 100 ms, and only when it changed', () => {
    const { hub, viewer, told } = hubWith({ id: 'bp-1', log: true })
    const app = new FakeApp(hub).hello({ capabilities: all })
    told()
    const before = viewer.received('breakpoints').length
    for (let index = 0; index < 50; index += 1) app.event('breakpoint.hit', { id: 'bp-1', nodeId: 'n' }, 'run_1')
    expect(told()).toMatchObject([{ hits: 50 }])
    app.event('breakpoint.hit', { id: 'nobody', nodeId: 'n' }, 'run_1')
    told()
    expect(viewer.received('breakpoints')).toHaveLength(before + 1)
  })
})

describe('a breakpoint', () => {
  it('that is meant once is gone for everybody after its hit', () => {
    const { hub, viewer } = hubWith({ id: 'bp-1', once: true })
    const [one, other] = [new FakeApp(hub).hello({ capabilities: all }), new FakeApp(hub).hello({ capabilities: all })]
    one.event('breakpoint.hit', { id: 'bp-1', nodeId: 'n', error: 'not asked' }, 'run_1')
    expect(hub.debugState().breakpoints).toHaveLength(1)
    one.event('breakpoint.hit', { id: 'bp-1', nodeId: 'n' }, 'run_1')
    expect(hub.debugState().breakpoints).toEqual([])
    expect(other.received('breakpoint.clear')).toEqual([{ matcher: { id: 'bp-1', once: true } }])
    expect(viewer.received('state').at(-1)?.breakpoints).toEqual([])
  })

  it('for one step of a run is gone when that run is over', async () => {
    const { hub, store } = hubWith({ id: 'step', once: true, runId: 'run_1' }, { id: 'stays', runId: 'run_1' })
    await store.fill('run_1', 1)
    store.updateRun('run_1')
    expect(hub.debugState().breakpoints).toHaveLength(2)
    store.updateRun('run_1', { status: 'ok' })
    expect(hub.debugState().breakpoints).toEqual([{ id: 'stays', runId: 'run_1' }])
  })

  it('with a known id takes the place of the old one in every program', () => {
    const { hub, viewer } = hubWith({ id: 'bp-1', name: 'a' })
    const app = new FakeApp(hub).hello({ capabilities: all })
    viewer.setBreakpoint({ id: 'bp-1', name: 'b', where: 'input.ok' })
    expect(hub.debugState().breakpoints).toEqual([{ id: 'bp-1', name: 'b', where: 'input.ok' }])
    expect(app.controls.slice(1).map(({ type, payload }) => [type, payload])).toEqual([
      ['breakpoint.clear', { matcher: { id: 'bp-1', name: 'a' } }],
      ['breakpoint.set', { matcher: { id: 'bp-1', name: 'b', where: 'input.ok' } }],
    ])
  })

  it('with a hit count that can’t be read is refused, and the viewer learns how to write one', () => {
    const { hub, viewer } = hubWith()
    viewer.setBreakpoint({ hits: 'many' })
    expect(viewer.received('error')).toMatchObject([{ code: 'bad-message', message: expect.stringContaining('“>= 3”') }])
    expect(hub.debugState().breakpoints).toEqual([])
  })
})
