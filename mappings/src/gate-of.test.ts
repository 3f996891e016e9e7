import { describe, expect, it } from 'vitest'
import { gateOf } from './gate-of.ts'
import { mapSpan } from './registry.ts'
import { spanWith } from './testing/spans.ts'

describe('gateOf', () => {
  it.each([
    ['execute_tool', { kind: 'tool', nodeId: 'tool:berths', name: 'berths' }],
    ['chat', { kind: 'llm', nodeId: 'llm:step', name: 'step' }],
    ['invoke_agent', undefined],
    ['retrieval', undefined],
    ['agent_step', undefined],
  ])('answers for %s', (operation, gate) => {
    expect(gateOf(mapSpan(spanWith({ 'gen_ai.operation.name': operation, 'gen_ai.tool.name': 'berths' })))).toEqual(gate)
  })
})
