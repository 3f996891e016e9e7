import { type Outlook, outlookOf } from '../model/states.ts'
import { useFacts } from './viewer-context.tsx'

/** What becomes of the open calls of the run on the screen. In its past it was still going on. */
export function useOutlook(): Outlook {
  return useFacts(({ run, runs, mode }) => (run === undefined || run.asOf !== undefined ? 'going' : outlookOf(runs?.get(run.runId), mode)))
}
