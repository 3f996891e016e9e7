import { describe, expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { graphByCallPath, hasManyCallers } from './call-path.ts'
import { graphByNode, reachedOnly } from './graph.ts'
import { orderEdges } from './order.ts'

const { picture } = runFromText(`
  agent planner   0-200
    agent finder  10-60
      tool search 20-30 error
    agent writer  70-120
      tool search 80-90
      tool search 95-100
  hint tool publish under agent:writer`)

describe('the graph by call path', () => {
  const { nodes, edges, nodeOf } = graphByCallPath(picture, 'going')
  const told = Object.fromEntries(nodes.map(({ id, name, node, state }) => [id, `${name} ×${node?.instanceIds.length ?? 0} ${state}`]))

  it('shows a tool under each of its callers, with its own count and state', () => {
    expect(Object.values(told).sort()).toEqual([
      'finder ×1 ok',
      'planner ×1 ok',
      'publish ×0 hint',
      'search ×1 error',
      'search ×2 ok',
      'writer ×1 ok',
    ])
    const callerOf = (instanceId: string) => edges.find(({ to, count }) => to === nodeOf(instanceId) && count > 0)?.from
    expect([callerOf('search1'), callerOf('search2'), callerOf('search3')]).toEqual(['agent:finder', 'agent:writer', 'agent:writer'])
    expect(edges.find(({ to }) => to === 'tool:publish')).toMatchObject({ from: 'agent:writer', count: 0 })
  })

  it('keeps the id of a node for the first way it was called', () => {
    expect(nodeOf('search1')).toBe('tool:search')
    expect(nodeOf('search2')).not.toBe('tool:search')
  })

  it('goes round where a node calls itself, however deep', () => {
    const deep = runFromText(`
      agent solver     0-100
        agent solver   10-90
          agent solver 20-80
            tool add   30-40`).picture
    const graph = graphByCallPath(deep, 'going')
    expect(graph.nodes.map(({ id }) => id)).toEqual(['agent:solver', 'tool:add'])
    expect(graph.edges.map(({ from, to, count }) => `${from} → ${to} ×${count}`)).toEqual([
      'agent:solver → agent:solver ×2',
      'agent:solver → tool:add ×1',
    ])
  })

  it('is worth it where several agents use the same tool', () => {
    expect(hasManyCallers(picture)).toBe(true)
    expect(hasManyCallers(runFromText('agent planner 0-9\n  tool search 1-2\n  tool search 3-4').picture)).toBe(false)
  })
})

it('can leave out what was not reached', () => {
  const { nodes, edges } = reachedOnly(graphByNode(picture, 'going'))
  expect(nodes.map(({ name }) => name)).not.toContain('publish')
  expect(edges.every(({ to }) => to !== 'tool:publish')).toBe(true)
})

describe('the order of calls', () => {
  const order = (text: string) => {
    const run = runFromText(text).picture
    return orderEdges(run, graphByNode(run, 'going').nodeOf).map(({ from, to, count }) => `${from} → ${to} ×${count}`)
  }

  it('shows the loop of a model and its tools', () => {
    expect(
      order(`
        agent planner  0-100
          llm draft    1-10
          tool search  11-20
          llm draft    21-30
          tool search  31-40
          llm draft    41-50`),
    ).toEqual(['llm:step → tool:search ×2', 'tool:search → llm:step ×2'])
  })

  it('lets what ran side by side follow the same call, and the next one follow all of them', () => {
    expect(
      order(`
        agent planner  0-100
          llm draft    1-10
          tool a       11-20
          tool b       12-30
          tool c       13-25
          llm draft    31-40`).sort(),
    ).toEqual([
      'llm:step → tool:a ×1',
      'llm:step → tool:b ×1',
      'llm:step → tool:c ×1',
      'tool:a → llm:step ×1',
      'tool:b → llm:step ×1',
      'tool:c → llm:step ×1',
    ])
  })

  it('says nothing of what is still running', () => {
    expect(order('agent planner 0-\n  tool a 1-\n  tool b 5-9')).toEqual([])
  })

  it('does not follow from children of different callers', () => {
    expect(order('agent one 0-10\n  tool a 1-2\nagent two 20-30\n  tool b 21-22')).toEqual(['agent:one → agent:two ×1'])
  })
})
