import { describe, expect, it } from 'vitest'
import { treeMove } from './tree-move.ts'

const LINES = [
  { name: 'agent', level: 1, expanded: true, children: 2 },
  { name: 'step', level: 2, expanded: false, children: 1 },
  { name: 'tool', level: 2, expanded: false, children: 0 },
]
const move = (key: string, at: number) => treeMove(key, LINES, at, (line) => line.children > 0)

describe('treeMove', () => {
  it('goes line by line, and up from nowhere to the first one', () => {
    expect(move('ArrowDown', 0)).toEqual({ type: 'go', to: 1 })
    expect(move('ArrowUp', 2)).toEqual({ type: 'go', to: 1 })
    expect(move('ArrowUp', -1)).toEqual({ type: 'go', to: 0 })
    expect(move('ArrowDown', -1)).toEqual({ type: 'go', to: 0 })
    expect(move('Home', 2)).toEqual({ type: 'go', to: 0 })
    expect(move('End', 0)).toEqual({ type: 'go', to: 2 })
  })

  it('opens a folded line to the right, and goes into an open one', () => {
    expect(move('ArrowRight', 1)).toEqual({ type: 'fold', fold: false })
    expect(move('ArrowRight', 0)).toEqual({ type: 'go', to: 1 })
    expect(move('ArrowRight', 2)).toBeUndefined()
  })

  it('folds an open line to the left, else goes to its parent, and stays where there is none', () => {
    expect(move('ArrowLeft', 0)).toEqual({ type: 'fold', fold: true })
    expect(move('ArrowLeft', 2)).toEqual({ type: 'go', to: 0 })
    expect(treeMove('ArrowLeft', LINES.slice(2), 0, () => false)).toEqual({ type: 'stay' })
  })

  it('leaves other keys, and a tree without an active line, alone', () => {
    expect(move('a', 0)).toBeUndefined()
    expect(move('ArrowLeft', -1)).toBeUndefined()
    expect(move('ArrowRight', -1)).toBeUndefined()
  })
})
