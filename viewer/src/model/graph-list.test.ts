import { expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { errorPath } from './error-path.ts'
import { graphByNode, graphEdges, graphNodes } from './graph.ts'
import { groupName } from './graph-groups.ts'
import { graphList } from './graph-list.ts'
import { shownGraph } from './neighbourhood.ts'

const { picture } = runFromText(`
  agent planner   0-100
    agent helper  10-60
      tool search 20-30 error
    tool search   70-80
    tool book     85-90
  hint tool publish`)

it('tells the graph as a list: each node under each of its callers', () => {
  const lines = graphList(graphNodes(picture, 'going'), graphEdges(picture))
  expect(lines.map(({ node, level, again }) => `${'  '.repeat(level - 1)}${node.name}${again ? ' again' : ''}`)).toEqual([
    'planner',
    '  helper',
    '    search',
    '  search again',
    '  book',
    'publish',
  ])
})

it('finds what failed and who called it', () => {
  expect([...errorPath(picture, graphByNode(picture, 'going').nodeOf)].sort()).toEqual(['agent:helper', 'agent:planner', 'tool:search'])
})

const NOTHING: ReadonlySet<string> = new Set()

/** A planner with this many tools, those of these numbers failed. */
function fanOf(count: number, failed: readonly number[] = []) {
  const tools = Array.from({ length: count }, (_, at) => `    tool t${at} ${at}-${at + 1} ${failed.includes(at) ? 'error' : ''}`)
  const { picture: large } = runFromText(`agent a 0-500\n${tools.join('\n')}`)
  return [graphNodes(large, 'going'), graphEdges(large)] as const
}

it('shows of a very large graph the part around what is looked at, and says how much is hidden', () => {
  const [nodes, edges] = fanOf(400)
  const shown = shownGraph(nodes, edges, 'tool:t399', NOTHING)
  expect(shown.nodes.length + shown.hidden).toBe(401)
  expect(shown.nodes.length).toBeLessThanOrEqual(120)
  expect(shown.nodes.map((node) => node.id)).toEqual(expect.arrayContaining(['agent:a', 'tool:t399']))
  expect(shownGraph(nodes, edges, undefined, 'all').hidden).toBe(0)
})

it.each([
  [299, 0],
  [300, 1],
])('gathers what is hidden only above 300 nodes: a planner with %d tools', (tools, groups) => {
  expect(shownGraph(...fanOf(tools), undefined, NOTHING).groups).toHaveLength(groups)
})

it('gathers what is hidden at the drawn node that it belongs to, with how much it is and how urgent', () => {
  const [nodes, edges] = fanOf(
    400,
    Array.from({ length: 200 }, (_, at) => at),
  )
  const shown = shownGraph(nodes, edges, 'agent:a', NOTHING)
  expect(shown.groups.map(groupName)).toEqual([`${shown.hidden} more nodes near agent a, 81 failed`])
  expect(shown.groups[0]?.state).toBe('error')
  const [group] = shown.groups
  expect(shown.edges.filter(({ to }) => to === group?.id)).toEqual([expect.objectContaining({ from: 'agent:a', count: shown.hidden })])
  // Each call stands on one line: those to drawn nodes on their own.
  expect(shown.edges.reduce((sum, edge) => sum + edge.count, 0)).toBe(400)
})

it('draws what an opened group holds, the urgent first, as far as a thousand can be drawn', () => {
  const [nodes, edges] = fanOf(1200, [1199])
  const closed = shownGraph(nodes, edges, undefined, NOTHING)
  const opened = shownGraph(nodes, edges, undefined, new Set(closed.groups.map(({ key }) => key)))
  expect(opened.nodes).toHaveLength(1000)
  expect(opened.nodes.at(-1)?.id).toBe('tool:t1199')
  expect(opened.groups.map(groupName)).toEqual(['201 more nodes near agent a, as many as can be drawn are shown'])
  const small = fanOf(400)
  const all = shownGraph(...small, undefined, new Set(shownGraph(...small, undefined, NOTHING).groups.map(({ key }) => key)))
  expect([all.nodes.length, all.hidden, all.groups]).toEqual([401, 0, []])
})

it('makes one group of the smallest where there would be more than forty, and of what belongs to nothing that is drawn', () => {
  const agents = Array.from({ length: 60 }, (_, at) =>
    [`  agent a${at} 0-9`, ...Array.from({ length: at === 0 ? 1 : 9 }, (_, tool) => `    tool t${at}x${tool} 0-9`)].join('\n'),
  )
  const { picture: large } = runFromText(`agent root 0-9\n${agents.join('\n')}\ntool alone 0-9`)
  const { groups, nodes, hidden } = shownGraph(graphNodes(large, 'going'), graphEdges(large), 'agent:root', NOTHING)
  expect(groups).toHaveLength(40)
  expect(groups.filter(({ owner }) => owner === undefined)).toHaveLength(1)
  expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(hidden)
  expect(nodes.length + hidden).toBe(large.instances.size)
})
