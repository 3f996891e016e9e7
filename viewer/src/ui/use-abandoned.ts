import { useFacts } from './viewer-context.tsx'

/** Whether the server gave up on the run on the screen: what is open in it will not end any more. In its past it was still going on. */
export function useAbandoned(): boolean {
  return useFacts(
    (state) => state.run !== undefined && state.run.asOf === undefined && state.runs?.get(state.run.runId)?.status === 'abandoned',
  )
}
