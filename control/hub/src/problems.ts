import type { ParseIssue } from '@graphmind-ai/schema'

/** What went wrong with a peer or the store, for the server's log. */
export interface HubProblem {
  readonly code: 'bad-frame' | 'refused' | 'not-an-event' | 'not-owner' | 'store-failed'
  readonly message: string
  /** How many of this code were left out since the last one that was reported. */
  readonly suppressed: number
}

const INTERVAL_MS = 10_000

/** Reports at most one problem a code in ten seconds and counts the rest: a peer must not be able to fill the log. */
export function createProblemLog(
  log: (problem: HubProblem) => void,
  nowMs: () => number,
): (code: HubProblem['code'], message: string) => void {
  const states = new Map<HubProblem['code'], { lastMs: number; suppressed: number }>()
  return (code, message) => {
    const now = nowMs()
    const state = states.get(code)
    if (state !== undefined && now - state.lastMs < INTERVAL_MS) {
      state.suppressed += 1
      return
    }
    states.set(code, { lastMs: now, suppressed: 0 })
    log({ code, message, suppressed: state?.suppressed ?? 0 })
  }
}

/** The first thing that was wrong with a frame, to be put after a sentence; empty when nothing more is known. */
export function issuesText([first]: readonly ParseIssue[]): string {
  return first === undefined ? '' : ` ${first.path}: ${first.message}`
}
