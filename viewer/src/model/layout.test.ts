import { expect, it } from 'vitest'
import { layOut, NODE_HEIGHT, NODE_WIDTH, placeMeanwhile } from './layout.ts'

const input = {
  nodes: ['agent', 'llm', 'search', 'convert'],
  edges: [
    { from: 'agent', to: 'llm' },
    { from: 'agent', to: 'search' },
    { from: 'agent', to: 'convert' },
    { from: 'llm', to: 'llm' },
    { from: 'search', to: 'agent' },
  ],
  direction: 'right',
} as const

it('places children to the right of their parent without overlap, also with loops and cycles', () => {
  const at = layOut(input)
  const xOf = (id: string) => at.get(id)?.x ?? Number.NaN
  expect(xOf('llm')).toBeGreaterThanOrEqual(xOf('agent') + NODE_WIDTH)
  const ys = ['llm', 'search', 'convert'].map((id) => at.get(id)?.y ?? Number.NaN).sort((one, other) => one - other)
  expect((ys[1] ?? 0) - (ys[0] ?? 0)).toBeGreaterThanOrEqual(NODE_HEIGHT)
  expect((ys[2] ?? 0) - (ys[1] ?? 0)).toBeGreaterThanOrEqual(NODE_HEIGHT)
})

it('lets siblings stand in the order they first ran', () => {
  const at = layOut(input)
  const ys = ['llm', 'search', 'convert'].map((id) => at.get(id)?.y ?? Number.NaN)
  expect(ys).toEqual([...ys].sort((one, other) => one - other))
})

it('lets agents that call tools of their own stand in the order they first ran, too', () => {
  const at = layOut({
    nodes: ['lead', 'plan', 'finder', 'search', 'fetch', 'writer', 'style', 'text'],
    edges: [
      ['lead', 'plan'],
      ['lead', 'finder'],
      ['finder', 'search'],
      ['finder', 'fetch'],
      ['lead', 'writer'],
      ['writer', 'style'],
      ['writer', 'text'],
    ].map(([from = '', to = '']) => ({ from, to })),
    direction: 'right',
  })
  for (const rank of [
    ['plan', 'finder', 'writer'],
    ['search', 'fetch', 'style', 'text'],
  ]) {
    const ys = rank.map((id) => at.get(id)?.y ?? Number.NaN)
    expect(ys).toEqual([...ys].sort((one, other) => one - other))
  }
})

it('does not trade that order for crossed edges', () => {
  const at = layOut({
    nodes: ['a', 'b', 'ofB', 'ofA'],
    edges: [
      { from: 'a', to: 'ofA' },
      { from: 'b', to: 'ofB' },
    ],
    direction: 'right',
  })
  const upper = (one: string, other: string) => (at.get(one)?.y ?? 0) < (at.get(other)?.y ?? 0)
  expect(upper('a', 'b')).toBe(upper('ofA', 'ofB'))
})

it('shows a new node next to its parent before any layout, and leaves known ones in place', () => {
  const known = new Map([
    ['agent', { x: 10, y: 20 }],
    ['llm', { x: 298, y: 20 }],
  ])
  const places = placeMeanwhile(input, known)
  expect(places.get('agent')).toEqual({ x: 10, y: 20 })
  expect(places.get('llm')).toEqual({ x: 298, y: 20 })
  expect(places.get('search')).toEqual({ x: 298, y: 20 + NODE_HEIGHT + 18 })
  expect(places.get('convert')).toEqual({ x: 298, y: 20 + 2 * (NODE_HEIGHT + 18) })
})

it('puts many leaves of one parent in columns, without overlap, in the order they ran', () => {
  const leaves = Array.from({ length: 60 }, (_, index) => `tool ${index}`)
  const fan = { nodes: ['agent', ...leaves], edges: leaves.map((to) => ({ from: 'agent', to })), direction: 'right' } as const
  const at = layOut(fan)
  const points = leaves.map((id) => at.get(id) ?? { x: Number.NaN, y: Number.NaN })
  expect(new Set(points.map((point) => point.x)).size).toBeGreaterThan(2)
  expect(new Set(points.map((point) => `${point.x} ${point.y}`)).size).toBe(60)
  const height = Math.max(...points.map((point) => point.y)) - Math.min(...points.map((point) => point.y))
  expect(height).toBeLessThan(60 * NODE_HEIGHT * 0.4)
  expect(Math.min(...points.map((point) => point.x))).toBeGreaterThanOrEqual((at.get('agent')?.x ?? 0) + NODE_WIDTH)
})

it('places callers before what they call, whatever came first', () => {
  const edges = [
    { from: 'agent', to: 'helper' },
    { from: 'helper', to: 'search' },
  ]
  const places = placeMeanwhile({ nodes: ['search', 'helper', 'agent'], edges, direction: 'right' }, new Map())
  for (const { from, to } of edges) expect(places.get(to)?.x).toBeGreaterThan(places.get(from)?.x ?? Number.NaN)
  const circle = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]
  expect(placeMeanwhile({ nodes: ['a', 'b'], edges: circle, direction: 'right' }, new Map()).size).toBe(2)
})
