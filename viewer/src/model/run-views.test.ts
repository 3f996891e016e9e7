import { nodesOf } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { runInfo } from '../testing/run-info.ts'
import { graphEdges, graphNodeName, graphNodes } from './graph.ts'
import { instanceToShow, pathToRoot } from './rows.ts'
import { runState } from './states.ts'
import { listRows } from './tree-rows.ts'

const { picture } = runFromText(`
  agent planner    0-
    llm draft      10-100
      tool search  40-60  error
    llm draft      110-200
    tool convert   210-   waits:230
    tool convert   215-
  hint tool book under agent:planner
  hint tool convert under agent:planner`)

const outlineRows = (folded: ReadonlySet<string>) =>
  listRows(picture, { folded, opened: new Set(), mostAlike: Number.POSITIVE_INFINITY }).rows.filter((row) => row.type === 'call')

describe('the rows of the outline', () => {
  it('draws the run as a tree in order of start', () => {
    expect(outlineRows(new Set()).map((row) => `${'  '.repeat(row.level - 1)}${row.instanceId} ${row.position}`)).toEqual([
      'planner1 1',
      '  draft1 1',
      '    search1 1',
      '  draft2 2',
      '  convert1 3',
      '  convert2 4',
    ])
  })

  it('leaves out what is under a folded row, and says that there is something', () => {
    const rows = outlineRows(new Set(['draft1']))
    expect(rows.map((row) => row.instanceId)).not.toContain('search1')
    expect(rows[1]).toMatchObject({ instanceId: 'draft1', expandable: true, expanded: false })
  })
})

describe('graphNodes', () => {
  const nodes = graphNodes(picture, false)
  it('draws one box per node, the unreached hints last', () => {
    expect(nodes.map((node) => node.id).at(-1)).toBe('tool:book')
    expect(nodes.map((node) => node.id).sort()).toEqual(['agent:planner', 'llm:step', 'tool:book', 'tool:convert', 'tool:search'])
  })

  it('lets a waiter beat a running instance, and the last outcome stand when nothing runs', () => {
    expect(Object.fromEntries(nodes.map((node) => [node.id, node.state]))).toEqual({
      'agent:planner': 'running',
      'llm:step': 'ok',
      'tool:search': 'error',
      'tool:convert': 'paused',
      'tool:book': 'hint',
    })
  })

  it('says of a box how many run while others of it have ended', () => {
    const { picture: several } = runFromText('tool search 0-10\ntool search 20-\ntool search 30-')
    const [search] = graphNodes(several, false)
    expect(search && graphNodeName(search, false)).toBe('tool search, running, 3 runs, 2 running')
  })

  it('names a box for those who hear it', () => {
    const convert = nodes.find((node) => node.id === 'tool:convert')
    expect(convert && graphNodeName(convert, false)).toBe('tool convert, paused, 2 runs, 1 running')
    expect(convert && graphNodeName(convert, true)).toContain('breakpoint before')
  })

  it('shows nothing of an abandoned run as running', () => {
    expect(graphNodes(picture, true).map((node) => node.state)).not.toContain('running')
  })
})

it('draws edges by how often they were taken, and hinted ones that nobody took', () => {
  const edges = Object.fromEntries(graphEdges(picture).map((edge) => [`${edge.from} → ${edge.to}`, edge.count]))
  expect(edges).toEqual({
    'agent:planner → llm:step': 2,
    'llm:step → tool:search': 1,
    'agent:planner → tool:convert': 2,
    'agent:planner → tool:book': 0,
  })
})

it('shows the waiting instance of a node first, and the way up to the root', () => {
  const convert = nodesOf(picture).find((node) => node.nodeId === 'tool:convert')
  expect(convert && instanceToShow(picture, convert)).toBe('convert1')
  expect(pathToRoot(picture, 'search1').map((instance) => instance.id)).toEqual(['search1', 'draft1', 'planner1'])
})

describe('runState', () => {
  it('is paused while anything waits, whatever else runs', () => expect(runState(runInfo(), picture)).toBe('paused'))
  it('is abandoned when the server says so', () => expect(runState(runInfo({ status: 'abandoned' }), picture)).toBe('abandoned'))
  it('needs no picture for the list', () => expect(runState(runInfo({ held: 2 }), undefined)).toBe('paused'))
})
