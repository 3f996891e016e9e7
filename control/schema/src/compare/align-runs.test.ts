import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyRun, foldEnvelope } from '../fold/fold.ts'
import type { RunPicture } from '../fold/picture.ts'
import { draw, facts, ids } from '../test-support/drawn-run.ts'
import { event, type StoryEvent } from '../test-support/story.ts'
import { alignRuns } from './align-runs.ts'
import { commonOrder } from './common-order.ts'

const runOf = (story: readonly StoryEvent[], runId = 'run'): RunPicture => {
  const run = emptyRun(runId)
  for (const [seq, { type, payload }] of story.entries()) foldEnvelope(run, { gm: 1, seq, ts: seq, runId, type, payload })
  return run
}

interface Node {
  readonly name: string
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd?: number }
  readonly durationMs?: number
  readonly toolCallId?: string
  readonly below?: readonly Node[]
}

/** A run drawn as a tree; instance ids are its own. */
function tree(prefix: string, ...roots: readonly Node[]): RunPicture {
  const story: StoryEvent[] = []
  let made = 0
  const add = ({ name, input, output, error, usage, durationMs = 5, toolCallId, below = [] }: Node, parentInstanceId?: string) => {
    const instanceId = `${prefix}${made++}`
    const node = { nodeId: `tool:${name}`, kind: 'tool' as const, name, instanceId }
    story.push(
      event('node.started', {
        ...node,
        ...(parentInstanceId === undefined ? {} : { parentInstanceId }),
        input,
        ...(toolCallId === undefined ? {} : { toolCallId }),
      }),
    )
    for (const child of below) add(child, instanceId)
    if (error !== undefined) story.push(event('node.error', { ...node, error: { name: 'Error', message: error } }))
    else story.push(event('node.finished', { ...node, status: 'ok', durationMs, output, ...(usage === undefined ? {} : { usage }) }))
  }
  for (const root of roots) add(root)
  return runOf(story, prefix)
}
const words = (left: RunPicture, right: RunPicture) =>
  alignRuns(left, right).rows.map(({ verdict, depth, ...row }) => `${'  '.repeat(depth)}${(row.left ?? row.right)?.name} ${verdict}`)

describe('two runs side by side', () => {
  it('are aligned parent by parent in the order of their nodes', () => {
    const left = tree('l', { name: 'plan', below: [{ name: 'a', below: [{ name: 'x' }] }, { name: 'b' }, { name: 'd' }] })
    const right = tree('r', { name: 'plan', below: [{ name: 'a', below: [{ name: 'y' }] }, { name: 'c' }, { name: 'd' }] })
    expect(words(left, right)).toEqual([
      'plan same',
      '  a same',
      '    x left-only',
      '    y right-only',
      '  b left-only',
      '  c right-only',
      '  d same',
    ])
    expect(alignRuns(left, right)).toMatchObject({ isSame: false, counts: { same: 3, changed: 0, 'left-only': 2, 'right-only': 2 } })
  })

  it('say which fields of a pair differ, and by how much what can be counted', () => {
    const left = tree('l', {
      name: 'a',
      input: { q: 1, deep: [1] },
      output: 'x',
      usage: { inputTokens: 10, outputTokens: 1 },
      durationMs: 5,
    })
    const right = tree('r', {
      name: 'a',
      input: { deep: [1], q: 2 },
      output: 'x',
      usage: { inputTokens: 7, outputTokens: 3, costUsd: 1 },
      durationMs: 9,
    })
    const { rows, delta } = alignRuns(left, right)
    expect(rows).toMatchObject([
      { verdict: 'changed', changes: ['input'], delta: { durationMs: 4, inputTokens: -3, outputTokens: 2, errors: 0 } },
    ])
    expect([rows[0]?.verdict === 'changed' && 'costUsd' in rows[0].delta, 'costUsd' in delta]).toEqual([false, false])
  })

  it('differ where one fails, also in how they fail', () => {
    const left = tree('l', { name: 'a', error: 'no route' })
    expect(alignRuns(left, tree('r', { name: 'a' })).rows).toMatchObject([{ changes: ['status', 'error'], delta: { errors: -1 } }])
    expect(alignRuns(left, tree('r', { name: 'a', error: 'too slow' })).rows).toMatchObject([{ changes: ['error'] }])
  })

  it('are the same though each has ids of its own', () => {
    const messages = (id: string) => [{ role: 'tool', tool_call_id: id, content: 'ok' }]
    const run = (prefix: string, call: string) =>
      tree(prefix, { name: 'step', input: messages(call), below: [{ name: 'search', toolCallId: call }] })
    expect(alignRuns(run('l', 'call_1'), run('r', 'call_2')).isSame).toBe(true)
    const stranger = tree('r', { name: 'step', input: messages('call_9'), below: [{ name: 'search', toolCallId: 'call_2' }] })
    expect(alignRuns(run('l', 'call_1'), stranger).rows[0]).toMatchObject({ changes: ['input'] })
  })

  it('belong together at the root, whatever it is called', () => {
    expect(words(tree('l', { name: 'old', below: [{ name: 'a' }] }), tree('r', { name: 'new', below: [{ name: 'a' }] }))).toEqual([
      'old changed',
      '  a same',
    ])
  })

  const story = fc
    .array(draw, { minLength: 1, maxLength: ids.length })
    .map((draws) => draws.flatMap((drawn, at) => facts(ids[at] ?? '', drawn)))

  it('are all the same when a run is laid beside itself', () => {
    fc.assert(
      fc.property(story, (events) => {
        const { isSame, counts, delta, rows } = alignRuns(runOf(events), runOf(events))
        expect([isSame, counts.same]).toEqual([true, rows.length])
        expect(Object.values(delta).every((value) => value === 0)).toBe(true)
      }),
    )
  })

  it('show every instance of each once, and the same pairs with the sides swapped', () => {
    fc.assert(
      fc.property(story, story, (one, other) => {
        const [left, right] = [runOf(one, 'left'), runOf(other, 'right')]
        const rows = alignRuns(left, right).rows
        expect(rows.flatMap((row) => row.left?.id ?? []).sort()).toEqual([...left.instances.keys()].sort())
        expect(rows.flatMap((row) => row.right?.id ?? []).sort()).toEqual([...right.instances.keys()].sort())
        const pairs = (from: typeof rows, isSwapped: boolean) =>
          from.map(({ left: l, right: r }) => (isSwapped ? `${r?.id} ${l?.id}` : `${l?.id} ${r?.id}`)).sort()
        expect(pairs(alignRuns(right, left).rows, true)).toEqual(pairs(rows, false))
      }),
    )
  })
})

describe('the common order of two lists', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })

  it('is as long as can be', () => {
    fc.assert(
      fc.property(list, list, (left, right) => {
        const pairs = commonOrder(left, right)
        expect(pairs.length).toBe(lengthByTable(left, right))
        for (const [index, [one, other]] of pairs.entries()) {
          expect(left[one]).toBe(right[other])
          const [before, beforeOther] = pairs[index - 1] ?? [-1, -1]
          expect([one > before, other > beforeOther]).toEqual([true, true])
        }
        expect(commonOrder(right, left)).toEqual(pairs.map(([one, other]) => [other, one]))
      }),
    )
  })

  it('is found in bounded work also where ten thousand meet ten thousand others', () => {
    const left = Array.from({ length: 10_000 }, (_, at) => `left ${at}`)
    const right = Array.from({ length: 10_000 }, (_, at) => (at % 100 === 0 ? `left ${at}` : `right ${at}`))
    expect(commonOrder(left, right)).toHaveLength(100)
    const loop = (period: number) => Array.from({ length: 10_000 }, (_, at) => `node ${at % period}`)
    const pairs = commonOrder(loop(3), loop(7))
    expect(pairs.length).toBeGreaterThan(1_000)
    expect(commonOrder(loop(7), loop(3))).toEqual(pairs.map(([one, other]) => [other, one]))
  })
})

function lengthByTable(left: readonly string[], right: readonly string[]): number {
  let above: number[] = Array(right.length + 1).fill(0)
  for (const key of left) {
    const row = [0]
    for (const [index, other] of right.entries())
      row.push(key === other ? (above[index] ?? 0) + 1 : Math.max(row[index] ?? 0, above[index + 1] ?? 0))
    above = row
  }
  return above[right.length] ?? 0
}
