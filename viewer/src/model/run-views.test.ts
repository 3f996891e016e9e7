import { nodesOf } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { runInfo } from '../testing/run-info.ts'
import { graphByCallPath } from './call-path.ts'
import { graphByNode, graphEdges, graphNodeName, graphNodes } from './graph.ts'
import { instanceToShow, pathToRoot } from './rows.ts'
import { instanceState, type Outlook, runState } from './states.ts'
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
  const nodes = graphNodes(picture, 'going')
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
    const [search] = graphNodes(several, 'going')
    expect(search && graphNodeName(search, false)).toBe('tool search, running, 3 runs, 2 running')
  })

  it('names a box for those who hear it', () => {
    const convert = nodes.find((node) => node.id === 'tool:convert')
    expect(convert && graphNodeName(convert, false)).toBe('tool convert, paused, 2 runs, 1 running')
    expect(convert && graphNodeName(convert, true)).toContain('breakpoint before')
  })

  it('shows nothing of an abandoned run as running', () => {
    expect(graphNodes(picture, 'abandoned').map((node) => node.state)).not.toContain('running')
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
  it('is paused while anything waits, whatever else runs', () => expect(runState(runInfo(), picture, 'run')).toBe('paused'))
  it('is abandoned when the server says so', () => expect(runState(runInfo({ status: 'abandoned' }), picture, 'run')).toBe('abandoned'))
  it('needs no picture for the list', () => expect(runState(runInfo({ held: 2 }), undefined, 'run')).toBe('paused'))
})

describe('a step', () => {
  const released = runFromText(`
    agent planner  0-
      tool search  10-    paused:10-20
      tool search  15-
      llm draft    16-    `).picture
  const untouched = runFromText('tool search 0-').picture
  const states = (outlook: Outlook) =>
    [...released.instances.values()].map((instance) => `${instance.id} ${instanceState(released, instance, outlook)}`)

  it('is shown of the run, the node and the call that was let go while the agents hold at every point', () => {
    expect(runState(runInfo(), released, 'step')).toBe('step')
    expect(states('stepping')).toEqual(['planner1 running', 'search1 step', 'search2 running', 'draft1 running'])
    for (const graph of [graphByNode, graphByCallPath])
      expect(graph(released, 'stepping').nodes.map(({ name, state }) => `${name} ${state}`)).toEqual([
        'planner running',
        'search step',
        'draft running',
      ])
  })

  it('is told in the runs list by what was held before', () => {
    expect(runState(runInfo({ heldMs: 10 }), undefined, 'step')).toBe('step')
    expect(runState(runInfo({ heldMs: 10, held: 1 }), undefined, 'step')).toBe('paused')
    expect(runState(runInfo(), undefined, 'step')).toBe('running')
  })

  it.each([
    ['agents run on to the next breakpoint', runInfo(), released, 'run'],
    ['nothing was held yet', runInfo(), untouched, 'step'],
    ['the agent’s link is gone, so that nothing is held any more', runInfo({ live: false }), released, 'step'],
    ['the run is shown as it was', undefined, released, 'step'],
  ] as const)('is not shown while %s', (_, info, shown, mode) => {
    expect(runState(info, shown, mode)).toBe('running')
  })

  it('ends as the call ends, and is not a step when the call was let go to be aborted', () => {
    const over = runFromText('tool search 0-30 paused:10-20').picture
    expect([...over.instances.values()].map((call) => instanceState(over, call, 'stepping'))).toEqual(['ok'])
    const aborted = runFromText('tool search 0- paused:10-20 by:abort').picture
    expect([...aborted.instances.values()].map((call) => instanceState(aborted, call, 'stepping'))).toEqual(['running'])
    expect(runState(runInfo(), aborted, 'step')).toBe('running')
  })
})
