import { useStore } from '@xyflow/react'

/** Zooms below which boxes are drawn with fewer and larger words, so that what is left can be read. */
const FAR = { far: 0.8, veryFar: 0.5 }

/** How far away the graph is seen from; undefined from near. */
export function useFarAway(): 'far' | 'very' | undefined {
  return useStore(({ transform: [, , zoom] }) => (zoom < FAR.veryFar ? 'very' : zoom < FAR.far ? 'far' : undefined))
}
