import type { KeyboardEvent } from 'react'
import type { Point } from '../../model/layout.ts'

const STEPS: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
}

/** Moves the focus from a node to the nearest one in the arrow's direction. */
export function walkByArrows(event: KeyboardEvent, positions: ReadonlyMap<string, Point>): void {
  const step = STEPS[event.key]
  const card = event.target instanceof Element ? event.target.closest('.react-flow__node') : null
  const id = card?.getAttribute('data-id')
  const from = positions.get(id ?? '')
  if (step === undefined || card === null || from === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  let nearest: { readonly id: string; readonly far: number } | undefined
  for (const [other, point] of positions) {
    const [dx, dy] = [point.x - from.x, point.y - from.y]
    const along = dx * step.x + dy * step.y
    // What lies aside counts double, so that an arrow goes where it points.
    const far = along + 2 * Math.abs(dx * step.y + dy * step.x)
    if (other !== id && along > 1 && (nearest === undefined || far < nearest.far)) nearest = { id: other, far }
  }
  if (nearest !== undefined) {
    card.parentElement?.querySelector<HTMLElement>(`[data-id="${CSS.escape(nearest.id)}"] button`)?.focus({ preventScroll: false })
  }
}
