import type { PausePicture } from '@graphmind-ai/schema'
import { heldNow } from '../../model/pauses.ts'
import { useFacts } from '../../ui/viewer-context.tsx'

/** The held calls of the open run that can be answered. */
export function useWaiting(): readonly PausePicture[] {
  const run = useFacts((state) => state.run)
  const abandoned = useFacts((state) => (run === undefined ? false : state.runs?.get(run.runId)?.status === 'abandoned'))
  // What an abandoned run left held will not be answered any more; the notes above say so. And the past can't be acted on.
  return run === undefined || abandoned || run.asOf !== undefined ? [] : heldNow(run)
}
