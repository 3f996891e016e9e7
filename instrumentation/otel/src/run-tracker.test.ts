import { expect, it } from 'vitest'
import type { LiveSpan } from './live-span.ts'
import { RunTracker } from './run-tracker.ts'

const RUN = 'a'.repeat(32)

function span(spanId: string, parent?: { spanId: string; isRemote?: boolean }): LiveSpan {
  const parentSpanContext = parent === undefined ? undefined : { traceId: RUN, traceFlags: 1, ...parent }
  return { spanContext: () => ({ traceId: RUN, spanId, traceFlags: 1 }), parentSpanContext } as LiveSpan
}

function tracker() {
  const ended: string[] = []
  return { runs: new RunTracker((runId) => ended.push(runId)), ended }
}

it('ends a run with its last local root', () => {
  const { runs, ended } = tracker()
  const [root, remote, child] = [span('1'), span('2', { spanId: '9', isRemote: true }), span('3', { spanId: '1' })]
  expect([runs.started(root), runs.started(remote), runs.started(child)]).toEqual([true, true, false])
  runs.ended(root)
  runs.ended(child)
  expect(ended).toEqual([])
  runs.ended(remote)
  expect(ended).toEqual([RUN])
})

it('does not end a run while a call of it is held', () => {
  const { runs, ended } = tracker()
  const root = span('1')
  runs.started(root)
  runs.holdBegins(RUN)
  runs.ended(root)
  expect(ended).toEqual([])
  runs.holdEnds(RUN)
  expect(ended).toEqual([RUN])
})

it('takes an all-zero parent for none', () => {
  expect(tracker().runs.started(span('1', { spanId: '0000000000000000' }))).toBe(true)
})

it('finds the nearest drawn span around a call', () => {
  const { runs } = tracker()
  const [agent, step, inner, call] = [span('a'), span('s', { spanId: 'a' }), span('i', { spanId: 's' }), span('c', { spanId: 'i' })]
  runs.hide(step)
  runs.hide(inner)
  expect(runs.shownParent(call)).toBe('a')
  expect(runs.shownParent(agent)).toBeUndefined()
})

it('counts a hidden root as drawn, for it has nobody to give its children to', () => {
  const { runs } = tracker()
  runs.hide(span('r'))
  expect(runs.shownParent(span('c', { spanId: 'r' }))).toBe('r')
})
