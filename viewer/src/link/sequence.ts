/** What to do with an event of the open run. */
export type Step = 'fold' | 'skip' | 'resync'

/**
 * Where the stream of one run stands. `resyncing`: a hole was seen and asked for again; what comes before the answer begins is not
 * trusted. `replaying`: history comes, in order. `live`: the tail.
 */
export type StreamPhase = 'replaying' | 'live' | 'resyncing'

/**
 * Decides what to do with the event `seq` that says it follows `after` (null: the run's first), when `lastSeq` is the last one folded
 * (−1: none). Doubles are skipped; a live event whose predecessor we never saw means that something was lost.
 */
export function nextStep(phase: StreamPhase, lastSeq: number, seq: number, after: number | null): Step {
  if (seq <= lastSeq) return 'skip'
  if (phase === 'replaying') return 'fold'
  if (after === null || after <= lastSeq) return 'fold'
  return phase === 'live' ? 'resync' : 'skip'
}
