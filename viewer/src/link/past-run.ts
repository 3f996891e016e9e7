import type { Envelope } from '@graphmind-ai/schema'
import { trackRun } from './open-run.ts'
import type { OpenRun } from './viewer-state.ts'

/** The run as it was at some event; the events themselves keep coming to the run it was made of. */
export interface PastRun {
  /** The run after the event `seq` and all before it; going forward folds only what is new. */
  at(seq: number): OpenRun
}

/** Folds the same events anew up to a chosen one. `live` gives the events known by now, oldest first. */
export function createPastRun(runId: string, live: readonly Envelope[]): PastRun {
  let tracker = trackRun(runId)
  let folded = 0
  const restart = () => {
    tracker = trackRun(runId)
    tracker.replayStart(0)
    folded = 0
  }
  restart()
  return {
    at(seq) {
      if (tracker.lastSeq() > seq) restart()
      for (let event = live[folded]; event !== undefined && event.seq <= seq; event = live[folded]) {
        tracker.event(event, null)
        folded += 1
      }
      const last = live[folded - 1]
      const asOf = { seq, at: last?.ts ?? live[0]?.ts ?? 0 }
      return { ...tracker.snapshot(), phase: 'ready', toldUntil: undefined, events: live, asOf }
    },
  }
}
