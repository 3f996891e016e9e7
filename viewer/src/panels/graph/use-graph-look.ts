import type { RunPicture } from '@graphmind-ai/schema'
import { useMemo } from 'react'
import type { GraphLook } from '../../model/graph-look.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { rememberLook, shownLook } from '../../ui/workbench.ts'

/** How the graph is shown, from the address, what is remembered and what suits the run; `structure` says that the run's shape changed. */
export function useGraphLook(picture: RunPicture | undefined, structure: number | undefined) {
  const { look: chosen, go } = useSelection()
  // The picture changes in place, so its own identity doesn't say that there are more callers now.
  const look = useMemo(() => shownLook(chosen, structure === undefined ? undefined : picture), [chosen, picture, structure])
  const change = (part: Partial<GraphLook>) => {
    rememberLook(part)
    go({ look: { ...chosen, ...part } })
  }
  return { look, change }
}
