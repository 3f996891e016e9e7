import { failed } from './problem.ts'

/** The refusal of what is asked of a run that is not there. */
export function noSuchRun(runId: string) {
  return failed('no-such-run', `There is no run ${runId}.`)
}
