import { useFacts } from './viewer-context.tsx'

/** Whether the server gave up on the run on the screen: what is open in it will not end any more. */
export function useAbandoned(): boolean {
  return useFacts((state) => state.run !== undefined && state.runs?.get(state.run.runId)?.status === 'abandoned')
}
