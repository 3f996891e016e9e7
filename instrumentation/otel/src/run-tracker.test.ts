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
  const [root, remote] = [span('1'), span('2', { spanId: '9', isRemote: true })]
  for (const one of [root, remote, root]) runs.started(one)
  runs.ended(root)
  runs.ended(root)
  expect(ended).toEqual([])
  runs.ended(remote)
  expect(ended).toEqual([RUN])
  expect(runs.isWatching).toBe(false)
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
