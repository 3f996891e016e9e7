import type { Envelope, EventEnvelope } from '../envelope.ts'
import { type FoldChange, type FoldContext, Ids, NO_CHANGE } from './change.ts'
import { foldGraphHint } from './events/graph-hint.ts'
import { foldNodeFact } from './events/node-facts.ts'
import { foldNodeStarted } from './events/node-started.ts'
import { foldPause } from './events/pauses.ts'
import { foldRunFinished, foldRunStarted } from './events/run.ts'
import type { RunPicture } from './picture.ts'
import { attachState, stateOf } from './state.ts'
import { attributeFact } from './waiting.ts'

/** A picture of nothing yet, to fold the run's events into. */
export function emptyRun(runId: string): RunPicture {
  return attachState({
    runId,
    meta: {},
    status: 'running',
    instances: new Map(),
    aliases: new Map(),
    hints: new Map(),
    pauses: new Map(),
    gaps: [],
    unknown: [],
    lastSeq: -1,
  })
}

/**
 * Applies one envelope of the run, which has passed `parseEnvelope`. Envelopes come in seq order, holes allowed; one that was folded
 * before (replay and live may overlap) or that belongs to another run changes nothing.
 */
export function foldEnvelope(run: RunPicture, envelope: Envelope): FoldChange {
  if (envelope.runId !== run.runId || envelope.seq <= run.lastSeq) return NO_CHANGE
  run.lastSeq = envelope.seq
  const changed = { run: false, instances: new Ids(), pauses: new Ids(), shape: false, places: false }
  apply({ run, state: stateOf(run), changed }, envelope)
  const { shape, places } = changed
  return { run: changed.run, instanceIds: changed.instances.list(), pauseIds: changed.pauses.list(), shape, places }
}

function apply(context: FoldContext, envelope: Envelope): void {
  // The type says which payload it is, since the envelope has passed the parser; any other type ends in the default branch.
  const event = envelope as EventEnvelope
  switch (event.type) {
    case 'run.started':
      foldRunStarted(context, event)
      break
    case 'run.finished':
      foldRunFinished(context, event)
      break
    case 'graph.hint':
      foldGraphHint(context, event)
      break
    case 'node.started':
      foldNodeStarted(context, event)
      break
    case 'node.finished':
    case 'node.error':
    case 'node.token':
      if (event.payload.instanceId === undefined) attributeFact(context, event)
      else foldNodeFact(context, event, event.payload.instanceId)
      break
    case 'exec.paused':
    case 'exec.resumed':
    case 'exec.refused':
      foldPause(context, event)
      break
    case 'hello':
      break
    case 'breakpoint.hit':
      context.changed.run = true
      break
    default:
      event satisfies never
      context.run.unknown.push(envelope)
      context.changed.run = true
  }
}
