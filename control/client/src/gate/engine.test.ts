import { type BreakpointMatcher, RESUME_ACTIONS, type ResumeAction, type RunMode } from '@graphmind-ai/schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Breakpoint, compileBreakpoint } from './breakpoint.ts'
import { step } from './engine.ts'
import { EMPTY_GATE, type GateEffect, type GateInput, type GateState, type Resume } from './state.ts'

/** Of matchers that need no loading. */
function breakpoint(matcher: BreakpointMatcher): Breakpoint {
  const compiled = compileBreakpoint(matcher)
  return 'ready' in compiled ? compiled.loading : compiled
}

function attachedWith(matchers: readonly BreakpointMatcher[], mode: RunMode = 'run'): GateInput {
  return { type: 'attached', breakpoints: matchers.map(breakpoint), mode }
}

const attached = attachedWith([{}, { point: 'error' }])

function reached(pauseId: string, more: Partial<Extract<GateInput, { type: 'reached' }>> = {}): GateInput {
  return {
    type: 'reached',
    pauseId,
    runId: 'run',
    point: 'before',
    facts: { kind: 'tool', name: 'search' },
    findings: { loop: undefined, smart: undefined },
    actions: RESUME_ACTIONS,
    edits: 'allowed',
    nowMs: 100,
    ...more,
  }
}

function resume(pauseId: string, action: ResumeAction, more: Partial<Resume> = {}): GateInput {
  return { type: 'resume', resume: { pauseId, action, ...more }, nowMs: 150 }
}

/** Plays inputs in order and answers the effects of the last one. */
function play(...inputs: GateInput[]): { state: GateState; effects: readonly GateEffect[] } {
  return inputs.reduce<{ state: GateState; effects: readonly GateEffect[] }>((last, input) => step(last.state, input), {
    state: EMPTY_GATE,
    effects: [],
  })
}

describe('the gate', () => {
  it('lets a call pass while no debugger is attached', () => {
    expect(play(reached('p')).effects).toEqual([{ type: 'pass', pauseId: 'p', action: 'continue' }])
  })

  it('holds at a matching breakpoint and says why', () => {
    expect(play(attached, reached('p')).effects).toEqual([{ type: 'hold', pauseId: 'p', reason: 'breakpoint', matcher: {} }])
  })

  it('forgets breakpoints and mode with the link, until the next ack', () => {
    const lost = { type: 'link-lost', nowMs: 1 } as const
    expect(play(attached, lost, reached('p')).effects).toMatchObject([{ type: 'pass' }])
    expect(play(attached, lost, attached, reached('p')).effects).toMatchObject([{ type: 'hold' }])
  })

  it('follows breakpoints that are set and cleared while attached', () => {
    const none = attachedWith([])
    const set: GateInput = { type: 'breakpoint.set', breakpoint: breakpoint({ name: 'search', kind: 'tool' }) }
    const clear: GateInput = { type: 'breakpoint.clear', matcher: { kind: 'tool', name: 'search' } }
    expect(play(none, set, reached('p')).effects).toMatchObject([{ type: 'hold' }])
    expect(play(none, set, set, clear, reached('p')).effects).toMatchObject([{ type: 'pass' }])
  })

  it('releases with what the person chose and how long it held', () => {
    expect(play(attached, reached('p'), resume('p', 'inject', { output: 7, requestId: 'r' })).effects).toEqual([
      { type: 'release', pauseId: 'p', action: 'inject', cause: 'viewer', heldMs: 50, injected: { output: 7 }, requestId: 'r' },
    ])
  })

  it('ignores a second command for the same call', () => {
    expect(play(attached, reached('p'), resume('p', 'continue'), resume('p', 'abort')).effects).toEqual([])
  })

  it('aborts the run before it releases the call, and every later gate of that run', () => {
    const aborted = play(attached, reached('p'), resume('p', 'abort'))
    expect(aborted.effects.map((effect) => effect.type)).toEqual(['abort-run', 'release'])
    expect(step(aborted.state, reached('q')).effects).toEqual([{ type: 'pass', pauseId: 'q', action: 'abort' }])
    expect(step(aborted.state, reached('q', { runId: 'other' })).effects).toMatchObject([{ type: 'hold' }])
    const ended = step(aborted.state, { type: 'run-ended', runId: 'run' })
    expect(step(ended.state, reached('q')).effects).toMatchObject([{ type: 'hold' }])
  })

  it('lets every held call go on when the link is lost, but starts no work in an aborted run', () => {
    const { effects } = play(attached, reached('p'), reached('q', { runId: 'other' }), reached('r'), resume('r', 'abort'), {
      type: 'link-lost',
      nowMs: 200,
    })
    expect(effects).toEqual([
      { type: 'release', pauseId: 'p', action: 'abort', cause: 'link-lost', heldMs: 100 },
      { type: 'release', pauseId: 'q', action: 'continue', cause: 'link-lost', heldMs: 100 },
    ])
  })

  it.each<[string, Partial<Extract<GateInput, { type: 'reached' }>>, ResumeAction, Partial<Resume>, string]>([
    ['an action the caller can’t honour', { actions: ['continue', 'abort'] }, 'inject', { output: 1 }, 'unsupported'],
    ['an injected placeholder', {}, 'inject', { output: { key: '__REDACTED__' } }, 'placeholder'],
    ['an injected cut value', {}, 'inject', { output: 'x…[graphmind: truncated]' }, 'truncated'],
    ['an edit with a placeholder', {}, 'continue', { input: { key: '__REDACTED__' } }, 'placeholder'],
    ['an edit with retry at a before gate', {}, 'retry', { input: {} }, 'unsupported'],
    ['an edit with continue at an error gate', { point: 'error' }, 'continue', { input: {} }, 'unsupported'],
    ['an edit of a call that can’t be edited', { edits: 'unsupported' }, 'continue', { input: {} }, 'unsupported'],
    ['an edit where edits are turned off', { edits: 'disabled' }, 'continue', { input: {} }, 'disabled'],
  ])('refuses %s and stays held', (_what, gate, action, command, code) => {
    const { state, effects } = play(attached, reached('p', gate), resume('p', action, { ...command, requestId: 'r' }))
    expect(effects).toMatchObject([{ type: 'refuse', pauseId: 'p', code, requestId: 'r' }])
    expect(state.holds.has('p')).toBe(true)
  })

  it('has an edit checked, then releases with the whole new input', () => {
    const asked = play(attached, reached('p'), resume('p', 'continue', { input: { a: 1 }, requestId: 'r' }))
    expect(asked.effects).toEqual([{ type: 'check', pauseId: 'p', check: 1, input: { a: 1 } }])
    const done = step(asked.state, { type: 'checked', pauseId: 'p', check: 1, result: { ok: true, value: { a: 1, b: 2 } }, nowMs: 300 })
    expect(done.effects).toEqual([
      {
        type: 'release',
        pauseId: 'p',
        action: 'continue',
        cause: 'viewer',
        heldMs: 200,
        edited: { after: { a: 1, b: 2 } },
        requestId: 'r',
      },
    ])
  })

  it('refuses an edit that the check does not let through', () => {
    const asked = play(attached, reached('p'), resume('p', 'continue', { input: {} }))
    const result = { ok: false, code: 'schema', message: 'nights must be a number' } as const
    const done = step(asked.state, { type: 'checked', pauseId: 'p', check: 1, result, nowMs: 300 })
    expect(done.effects).toEqual([{ type: 'refuse', pauseId: 'p', code: 'schema', message: 'nights must be a number' }])
    expect(done.state.holds.has('p')).toBe(true)
  })

  it('lets a later command overtake an edit that is still being checked', () => {
    const asked = play(attached, reached('p'), resume('p', 'continue', { input: {} }), resume('p', 'continue', { input: { b: 1 } }))
    const late = step(asked.state, { type: 'checked', pauseId: 'p', check: 1, result: { ok: true, value: {} }, nowMs: 300 })
    expect(late.effects).toEqual([])
    const right = step(late.state, { type: 'checked', pauseId: 'p', check: 2, result: { ok: true, value: { b: 1 } }, nowMs: 300 })
    expect(right.effects).toMatchObject([{ type: 'release', edited: { after: { b: 1 } } }])
  })
})

const pauseIds = fc.constantFrom('a', 'b', 'c', 'd')
const runIds = fc.constantFrom('run', 'other')
const anyInput: fc.Arbitrary<GateInput> = fc.oneof(
  fc.record({
    type: fc.constant('attached' as const),
    breakpoints: fc.constantFrom([], [breakpoint({})], [breakpoint({ point: 'error' })], [breakpoint({ once: true })]),
    mode: fc.constantFrom('run' as const, 'step' as const),
  }),
  fc.record({
    type: fc.constant('breakpoint.set' as const),
    breakpoint: fc.constantFrom(breakpoint({}), breakpoint({ point: 'error' }), breakpoint({ hits: '% 2' }), breakpoint({ log: true })),
  }),
  fc.record({ type: fc.constant('breakpoint.clear' as const), matcher: fc.constantFrom({}, { point: 'error' as const }, { log: true }) }),
  fc.record({ type: fc.constant('mode.set' as const), mode: fc.constantFrom('run' as const, 'step' as const) }),
  fc
    .record({ pauseId: pauseIds, runId: runIds, point: fc.constantFrom('before' as const, 'after' as const, 'error' as const) })
    .map(({ pauseId, ...more }) => reached(pauseId, more)),
  fc
    .record({ pauseId: pauseIds, action: fc.constantFrom(...RESUME_ACTIONS), input: fc.constantFrom(undefined, {}, { a: '__REDACTED__' }) })
    .map(({ pauseId, action, input }) => resume(pauseId, action, { input })),
  fc.record({
    type: fc.constant('checked' as const),
    pauseId: pauseIds,
    check: fc.integer({ min: 1, max: 4 }),
    result: fc.constantFrom({ ok: true, value: {} } as const, { ok: false, code: 'schema', message: 'no' } as const),
    nowMs: fc.constant(200),
  }),
  fc.record({ type: fc.constant('timeout' as const), pauseId: pauseIds, nowMs: fc.constant(200) }),
  fc.record({ type: fc.constantFrom('link-lost' as const, 'dispose' as const), nowMs: fc.constant(200) }),
  fc.record({ type: fc.constant('run-ended' as const), runId: runIds }),
)

describe('in any order of hits, resumes, disconnects, time-outs and disposals', () => {
  it('answers every call that reaches the gate exactly once and loses no waiter', () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 60 }), (inputs) => {
        let state = EMPTY_GATE
        let isDisposed = false
        const waiting = new Set<string>()
        inputs.forEach((input, index) => {
          // Every call has a pause id of its own: the last one given out under the generated name is what commands aim at.
          const aimed = 'pauseId' in input || input.type === 'resume' ? aim(input, index, waiting) : input
          const { state: next, effects } = step(state, aimed)
          state = next
          if (aimed.type === 'dispose') isDisposed = true
          for (const effect of effects) {
            if (effect.type === 'hold') {
              expect(waiting.has(effect.pauseId)).toBe(false)
              expect(isDisposed).toBe(false)
              waiting.add(effect.pauseId)
            } else if (effect.type === 'release') {
              expect(waiting.delete(effect.pauseId)).toBe(true)
            } else if (effect.type === 'refuse' || effect.type === 'check') {
              expect(waiting.has(effect.pauseId)).toBe(true)
            }
          }
          if (aimed.type === 'reached') expect(effects.filter((effect) => effect.type === 'hold' || effect.type === 'pass')).toHaveLength(1)
          if (aimed.type === 'link-lost' || aimed.type === 'dispose') expect(waiting.size).toBe(0)
          expect(new Set(state.holds.keys())).toEqual(waiting)
        })
      }),
      { numRuns: 2000 },
    )
  })
})

function aim(input: GateInput, index: number, waiting: ReadonlySet<string>): GateInput {
  const named = (name: string) => [...waiting].findLast((pauseId) => pauseId.startsWith(name)) ?? `${name}-none`
  switch (input.type) {
    case 'reached':
      return { ...input, pauseId: `${input.pauseId}-${index}` }
    case 'resume':
      return { ...input, resume: { ...input.resume, pauseId: named(input.resume.pauseId) } }
    case 'checked':
    case 'timeout':
      return { ...input, pauseId: named(input.pauseId) }
    default:
      return input
  }
}
