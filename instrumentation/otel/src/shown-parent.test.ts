import { expect, it } from 'vitest'
import { isLocalRoot, type LiveSpan } from './live-span.ts'
import { shownParent } from './shown-parent.ts'

function span(spanId: string, parentId?: string, attributes: LiveSpan['attributes'] = {}): LiveSpan {
  return {
    name: spanId,
    kind: 0,
    attributes,
    events: [],
    links: [],
    status: { code: 0 },
    startTime: [1, 0],
    resource: { attributes: {} },
    instrumentationScope: { name: 'app' },
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId, traceFlags: 1 }),
    parentSpanContext: parentId === undefined ? undefined : { traceId: 'a'.repeat(32), spanId: parentId, traceFlags: 1 },
  } as unknown as LiveSpan
}
const STEP = { 'gen_ai.operation.name': 'agent_step' }

it('finds the nearest drawn span around a call', () => {
  const [agent, step, inner, call] = [span('a'), span('s', 'a', STEP), span('i', 's', STEP), span('c', 'i')]
  const known = [agent, step, inner, call]
  expect(shownParent(call, known)).toBe('a')
  expect(shownParent(agent, known)).toBeUndefined()
})

it('takes a span that it does not know for drawn', () => {
  expect(shownParent(span('c', 'x'), [])).toBe('x')
})

it('counts a hidden root as drawn, for it has nobody to give its children to', () => {
  expect(shownParent(span('c', 'r'), [span('r', undefined, STEP)])).toBe('r')
})

it('survives spans that are each other’s parents', () => {
  expect(shownParent(span('c', 'a'), [span('a', 'b', STEP), span('b', 'a', STEP)])).toBe('a')
})

it('takes an all-zero parent for none', () => {
  expect(shownParent(span('c', '0'.repeat(16)), [])).toBeUndefined()
  expect(isLocalRoot(span('c', '0'.repeat(16)))).toBe(true)
})
