import type { BreakpointMatcher, RunMode } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { type Breakpoint, compileBreakpoint, type ReachedCall } from './breakpoint.ts'
import { type Judgement, judge } from './judge.ts'
import type { Armed, Findings } from './state.ts'

const call: ReachedCall = { point: 'before', kind: 'tool', name: 'search', runId: 'run-1' }
const loop = { repeats: 3, firstSeq: 1, lastSeq: 5, fingerprint: 'f'.repeat(32), kind: 'repeat' } as const
const smart = { rule: 'error-result', detail: 'Its success is false.' } as const
const NOTHING: Findings = { loop: undefined, smart: undefined }

async function armedWith(matchers: readonly BreakpointMatcher[], mode: RunMode = 'run'): Promise<Armed> {
  const breakpoints: Breakpoint[] = []
  for (const matcher of matchers) {
    const compiled = compileBreakpoint(matcher)
    breakpoints.push('ready' in compiled ? await compiled.ready : compiled)
  }
  return { breakpoints, mode, hits: new Map(), failures: new Map() }
}

/** Judges the same call again and again and answers every judgement. */
function repeat(armed: Armed, times: number, input: unknown = {}): Judgement[] {
  const judgements: Judgement[] = []
  let current = armed
  for (let index = 0; index < times; index += 1) {
    const judgement = judge(current, call, { name: call.name, kind: call.kind, input }, NOTHING)
    judgements.push(judgement)
    current = judgement.armed
  }
  return judgements
}

const heldAt = (judgements: readonly Judgement[]) => judgements.flatMap(({ why }, index) => (why === undefined ? [] : [index + 1]))

describe('a breakpoint', () => {
  it.each<[BreakpointMatcher, Partial<ReachedCall>, boolean]>([
    [{}, {}, true],
    [{}, { point: 'after' }, false],
    [{}, { point: 'error' }, false],
    [{ point: 'after' }, { point: 'after' }, true],
    [{ kind: 'tool' }, {}, true],
    [{ kind: 'llm' }, {}, false],
    [{ name: 'search' }, {}, true],
    [{ name: 'Search' }, {}, false],
    [{ kind: 'tool', name: 'search', point: 'error' }, { point: 'error' }, true],
    [{ kinds: ['llm', 'tool'] }, {}, true],
    [{ kinds: ['llm'] }, {}, false],
    [{ namePattern: 'sea*' }, {}, true],
    [{ namePattern: '/^SEA/i' }, {}, true],
    [{ namePattern: '/^ea/' }, {}, false],
    [{ runId: 'run-1' }, {}, true],
    [{ runId: 'run-2' }, {}, false],
    [{}, { kind: 'custom', explicitOnly: true }, false],
    [{ runId: 'run-1' }, { kind: 'custom', explicitOnly: true }, false],
    [{ namePattern: '*' }, { kind: 'custom', explicitOnly: true }, false],
    [{ namePattern: 'sea*' }, { kind: 'custom', explicitOnly: true }, true],
    [{ name: 'search' }, { kind: 'custom', explicitOnly: true }, true],
    [{ kind: 'custom' }, { kind: 'custom', explicitOnly: true }, true],
    [{ kinds: ['tool', 'custom'] }, { kind: 'custom', explicitOnly: true }, true],
    [{ kind: 'tool' }, { kind: 'custom', explicitOnly: true }, false],
    [{ colour: 'red' }, {}, true],
  ])('%j at %j: %s', async (matcher, at, holds) => {
    const reached = { ...call, ...at }
    const { why } = judge(await armedWith([matcher]), reached, { name: reached.name, kind: reached.kind }, NOTHING)
    expect(why !== undefined).toBe(holds)
  })

  it('holds only where its condition is true', async () => {
    const armed = await armedWith([{ where: 'input.amount > 10' }])
    expect(heldAt(repeat(armed, 1, { amount: 11 }))).toEqual([1])
    expect(heldAt(repeat(armed, 1, { amount: 9 }))).toEqual([])
    expect(heldAt(repeat(armed, 1, {}))).toEqual([])
  })

  it.each([
    ['3', [3]],
    ['>= 3', [3, 4, 5, 6]],
    ['% 3', [3, 6]],
  ])('with hits “%s” holds at %j of six', async (hits, expected) => {
    expect(heldAt(repeat(await armedWith([{ hits }]), 6))).toEqual(expected)
  })

  it('counts only the calls its condition is true for', async () => {
    let armed = await armedWith([{ where: 'input.ok', hits: '2' }])
    const held: boolean[] = []
    for (const ok of [true, false, true, true]) {
      const judgement = judge(armed, call, { name: 'search', kind: 'tool', input: { ok } }, NOTHING)
      armed = judgement.armed
      held.push(judgement.why !== undefined)
    }
    expect(held).toEqual([false, false, true, false])
  })

  it('that is meant once is gone after its hit', async () => {
    const judgements = repeat(await armedWith([{ id: 'bp-1', once: true }]), 3)
    expect(heldAt(judgements)).toEqual([1])
    expect(judgements[0]?.reports).toEqual([{ id: 'bp-1', logged: false }])
    expect(judgements[0]?.armed.breakpoints).toEqual([])
  })

  it('that only logs marks every hit and never holds', async () => {
    const judgements = repeat(await armedWith([{ id: 'bp-1', log: true }]), 2)
    expect(heldAt(judgements)).toEqual([])
    expect(judgements.map(({ reports }) => reports)).toEqual([[{ id: 'bp-1', logged: true }], [{ id: 'bp-1', logged: true }]])
  })

  it.each([
    [{ id: 'bp-1', where: 'input.text > 3' }, 'no such overload'],
    [{ id: 'bp-1', where: 'input.' }, 'stops in the middle'],
    [{ id: 'bp-1', hits: 'many' }, 'hit count'],
    [{ id: 'bp-1', namePattern: '/(/' }, 'pattern'],
  ])('that fails holds nothing and says why once: %j', async (matcher, words) => {
    const judgements = repeat(await armedWith([matcher]), 3, { text: 'x' })
    expect(heldAt(judgements)).toEqual([])
    expect(judgements.flatMap(({ reports }) => reports)).toEqual([{ id: 'bp-1', logged: false, error: expect.stringContaining(words) }])
  })

  it('of the base contract alone reports no hits: exec.paused tells them', async () => {
    expect(repeat(await armedWith([{ kind: 'tool' }]), 1)[0]?.reports).toEqual([])
  })

  it('counts for itself, whichever was set first', async () => {
    const judgements = repeat(await armedWith([{}, { id: 'log', log: true }, { id: 'third', hits: '3' }]), 3)
    expect(judgements.map(({ why }) => why?.matcher)).toEqual([{}, {}, {}])
    expect(judgements.flatMap(({ reports }) => reports.map(({ id }) => id))).toEqual(['log', 'log', 'log', 'third'])
  })
})

describe('the reason of a hold', () => {
  it.each<[string, readonly BreakpointMatcher[], RunMode, Partial<ReachedCall>, Partial<Findings>, unknown]>([
    ['a breakpoint', [{}], 'step', {}, { loop, smart }, { reason: 'breakpoint', matcher: {} }],
    ['an error', [{ point: 'error' }], 'step', { point: 'error' }, { smart }, { reason: 'error', matcher: { point: 'error' } }],
    ['what the result says', [], 'step', { point: 'error' }, { smart }, { reason: 'breakpoint', smart }],
    ['what the result says, beside a log point', [{ log: true }], 'run', {}, { smart }, { reason: 'breakpoint', smart }],
    ['a loop', [], 'step', {}, { loop }, { reason: 'loop', loop }],
    ['a step', [], 'step', {}, {}, { reason: 'step' }],
    ['a step at an error', [], 'step', { point: 'error' }, {}, { reason: 'step' }],
    ['nothing, after a call in step mode', [], 'step', { point: 'after' }, {}, undefined],
    ['nothing', [], 'run', {}, {}, undefined],
  ])('is %s', async (_what, matchers, mode, at, evidence, why) => {
    expect(
      judge(await armedWith(matchers, mode), { ...call, ...at }, { name: 'search', kind: 'tool' }, { ...NOTHING, ...evidence }).why,
    ).toEqual(why)
  })
})
