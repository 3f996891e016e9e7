import { expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { errorPath } from './error-path.ts'
import { graphByNode, graphEdges, graphNodes } from './graph.ts'
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

it('shows of a very large graph the part around what is looked at, and says how much is hidden', () => {
  const tools = Array.from({ length: 400 }, (_, index) => `    tool t${index} ${index}-${index + 1}`)
  const { picture: large } = runFromText(`agent a 0-500\n${tools.join('\n')}`)
  const [nodes, edges] = [graphNodes(large, 'going'), graphEdges(large)]
  const shown = shownGraph(nodes, edges, 'tool:t399', false)
  expect(shown.nodes.length + shown.hidden).toBe(401)
  expect(shown.nodes.length).toBeLessThanOrEqual(120)
  expect(shown.nodes.map((node) => node.id)).toEqual(expect.arrayContaining(['agent:a', 'tool:t399']))
  expect(shownGraph(nodes, edges, undefined, true).hidden).toBe(0)
})
