import { expect, it } from 'vitest'
import { suitingDirection } from './suiting-direction.ts'

const calling = (count: number) => {
  const tools = Array.from({ length: count }, (_, at) => `tool ${at}`)
  return { nodes: ['agent', ...tools], edges: tools.map((to) => ({ from: 'agent', to })) }
}
const TALL = { width: 660, height: 800 }
const FLAT = { width: 660, height: 330 }

it('lets a few tools stand one below the other, where a row of them would be drawn small', () => {
  expect(suitingDirection(calling(5), TALL, 'right')).toBe('right')
  expect(suitingDirection(calling(5), TALL, 'down')).toBe('right')
})

it('puts many tools below their agent, where there is more height than width', () => {
  expect(suitingDirection(calling(13), TALL, 'right')).toBe('down')
})

it('does not turn a graph for little', () => {
  expect(suitingDirection(calling(2), FLAT, 'right')).toBe('right')
  expect(suitingDirection(calling(2), FLAT, 'down')).toBe('down')
})

it('does not turn a graph while an editor leaves it but a strip', () => {
  expect(suitingDirection(calling(5), { width: 1600, height: 120 }, 'right')).toBe('right')
  expect(suitingDirection(calling(5), { width: 1600, height: 240 }, 'right')).toBe('down')
})

it('knows no better without a canvas, and comes to an end with circles', () => {
  const circle = {
    nodes: ['a', 'b'],
    edges: [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
      { from: 'a', to: 'a' },
    ],
  }
  expect(suitingDirection(circle, TALL, 'down')).toBe('down')
  expect(suitingDirection(calling(13), { width: 0, height: 0 }, 'right')).toBe('right')
  expect(suitingDirection({ nodes: [], edges: [] }, TALL, 'right')).toBe('right')
})
