import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Ask, PauseRegistry } from './registry.ts'

function info(pauseId: string, runId = 'run') {
  return { runId, pauseId, nodeId: 'tool:search', point: 'before' as const, since: 1, payload: {} }
}
const ask = (requestId: string, by = 'viewer'): Ask => ({ requestId, by })

describe('the pause registry', () => {
  it('gives a pause to the first who asks and tells the second who that was', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p'), 'app', false)
    expect(registry.ask('run', 'p', ask('r1', 'ada'))).toMatchObject({ outcome: 'send', pause: { owner: 'app' } })
    expect(registry.ask('run', 'p', ask('r2', 'bob'))).toEqual({ outcome: 'taken', by: 'ada' })
    expect(registry.list()[0]?.state).toBe('resolving')
    const resolution = registry.resumed('run', 'p', 'app', { cause: 'viewer', requestId: 'r1' })
    expect(resolution).toMatchObject({ pause: { resolving: { by: 'ada' } }, winner: { by: 'ada' } })
    expect(registry.ask('run', 'p', ask('r3'))).toEqual({ outcome: 'taken', by: 'ada' })
  })

  it('opens a pause again when the app refuses or stays silent', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p'), 'app', false)
    const first = ask('r1')
    registry.ask('run', 'p', first)
    expect(registry.refused('run', 'p', 'app', 'another')).toBeUndefined()
    expect(registry.refused('run', 'p', 'app', 'r1')).toBe(first)
    const second = ask('r2')
    registry.ask('run', 'p', second)
    expect(registry.silent('run', 'p', first)).toBe(false)
    expect(registry.silent('run', 'p', second)).toBe(true)
    expect(registry.list()[0]?.state).toBe('open')
  })

  it('credits a late answer to the one who asked for it', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p'), 'app', false)
    const slow = ask('r1', 'ada')
    registry.ask('run', 'p', slow)
    registry.silent('run', 'p', slow)
    registry.ask('run', 'p', ask('r2', 'bob'))
    expect(registry.resumed('run', 'p', 'app', { cause: 'viewer', requestId: 'r1' })).toMatchObject({
      pause: { resolving: { by: 'bob' }, asks: [{ by: 'ada' }, { by: 'bob' }] },
      winner: { by: 'ada' },
    })
  })

  it('names nobody when the gate let go by itself', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p'), 'app', false)
    registry.ask('run', 'p', ask('r1', 'ada'))
    const resolution = registry.resumed('run', 'p', 'app', { cause: 'timeout', requestId: undefined })
    expect(resolution?.winner).toBeUndefined()
    expect(registry.ask('run', 'p', ask('r2'))).toEqual({ outcome: 'taken', by: 'timeout' })
  })

  it('takes only the owner’s word', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p'), 'app', false)
    registry.ask('run', 'p', ask('r1'))
    expect(registry.resumed('run', 'p', 'other', { cause: 'viewer', requestId: 'r1' })).toBeUndefined()
    expect(registry.refused('run', 'p', 'other', 'r1')).toBeUndefined()
    expect(registry.heldIn('run')).toBe(1)
  })

  it('closes what an app held when it is gone, and does not open it again for a replay', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p1'), 'app', false)
    registry.paused(info('p2'), 'other', false)
    expect(registry.ownerGone('app').map((pause) => pause.info.pauseId)).toEqual(['p1'])
    expect(registry.paused(info('p1'), 'app-again', false)).toBe(false)
    expect(registry.list().map((pause) => pause.pauseId)).toEqual(['p2'])
  })

  it('opens it again for the app that proved to be the same, but not what that app itself let go', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p1'), 'app', false)
    registry.paused(info('p2'), 'app', false)
    registry.resumed('run', 'p2', 'app', { cause: 'link-lost', requestId: undefined })
    registry.ownerGone('app')
    expect(registry.paused(info('p1'), 'app-again', true)).toBe(true)
    expect(registry.paused(info('p2'), 'app-again', true)).toBe(false)
    expect(registry.list().map((pause) => pause.pauseId)).toEqual(['p1'])
  })

  it('names a person by the credential first, and what they call themselves after it', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p'), 'app', false)
    registry.ask('run', 'p', { ...ask('r1', 'agent'), operator: 'Anna' })
    expect(registry.ask('run', 'p', ask('r2'))).toEqual({ outcome: 'taken', by: 'agent (Anna)' })
  })

  it('takes a refusal that comes late, too', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p'), 'app', false)
    const slow = ask('r1')
    registry.ask('run', 'p', slow)
    registry.silent('run', 'p', slow)
    registry.ask('run', 'p', ask('r2', 'bob'))
    expect(registry.refused('run', 'p', 'app', 'r1')).toBe(slow)
    expect(registry.ask('run', 'p', ask('r3'))).toEqual({ outcome: 'taken', by: 'bob' })
  })

  it('keeps pauses of the same id in two runs apart, and finds a lone one by its id', () => {
    const registry = new PauseRegistry()
    registry.paused(info('p', 'a'), 'app', false)
    expect(registry.ask('merged', 'p', ask('r1'))).toMatchObject({ outcome: 'send', pause: { info: { runId: 'a' } } })
    registry.paused(info('p', 'b'), 'app', false)
    expect(registry.ask('merged', 'p', ask('r2'))).toEqual({ outcome: 'no-such-pause' })
    expect(registry.ask('b', 'p', ask('r2'))).toMatchObject({ outcome: 'send', pause: { info: { runId: 'b' } } })
  })

  it('in any order of events never has two askers wait for one pause, and counts right', () => {
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom('paused', 'ask', 'resumed', 'refused', 'silent', 'gone'),
        pauseId: fc.constantFrom('a', 'b'),
        owner: fc.constantFrom('app', 'other'),
        cause: fc.constantFrom('viewer', 'timeout'),
        isBack: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(steps, (script) => {
        const registry = new PauseRegistry()
        const waiting = new Map<string, Ask>()
        script.forEach(({ what, pauseId, owner, cause, isBack }, index) => {
          const current = waiting.get(pauseId)
          if (what === 'paused') registry.paused(info(pauseId), owner, isBack)
          if (what === 'ask') {
            const asked = ask(`r${index}`)
            if (registry.ask('run', pauseId, asked).outcome === 'send') {
              expect(current).toBeUndefined()
              waiting.set(pauseId, asked)
            }
          }
          if (what === 'resumed') {
            const resolution = registry.resumed('run', pauseId, owner, { cause, requestId: current?.requestId })
            if (resolution !== undefined) {
              expect(resolution.pause.resolving).toBe(current)
              waiting.delete(pauseId)
            }
          }
          if (what === 'refused' && registry.refused('run', pauseId, owner, undefined) !== undefined) waiting.delete(pauseId)
          if (what === 'silent' && current !== undefined && registry.silent('run', pauseId, current)) waiting.delete(pauseId)
          if (what === 'gone') for (const pause of registry.ownerGone(owner)) waiting.delete(pause.info.pauseId)
          const listed = registry.list()
          expect(registry.heldIn('run')).toBe(listed.length)
          expect(
            listed
              .filter(({ state }) => state === 'resolving')
              .map((pause) => pause.pauseId)
              .sort(),
          ).toEqual([...waiting.keys()].sort())
        })
      }),
      { numRuns: 1000 },
    )
  })
})
