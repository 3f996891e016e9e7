import { useWorkbench } from './viewer-context.tsx'

export const DENSITIES = ['comfortable', 'compact'] as const
/** How much room a line takes. */
export type Density = (typeof DENSITIES)[number]

/** A line must stay large enough to be hit, px. */
const LEAST_HEIGHT = 24
const COMPACT_PART = 0.8

/** The height of a line in the chosen density, px, from its comfortable one. */
export function useRowHeight(comfortable: number): number {
  const density = useWorkbench((state) => state.density)
  return density === 'comfortable' ? comfortable : Math.max(LEAST_HEIGHT, Math.round(comfortable * COMPACT_PART))
}
