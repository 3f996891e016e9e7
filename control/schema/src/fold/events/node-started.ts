import { resolve } from '../aliases.ts'
import type { FoldContext } from '../change.ts'
import { clearFacts } from '../cleared.ts'
import { extraOf, overlay } from '../fields.ts'
import { refreshInstance } from '../refresh.ts'
import { noteContribution, setAlias } from '../set-alias.ts'
import { type EventOf, type FoldState, factsOf, type InstanceFacts, type StartFacts } from '../state.ts'
import { touch } from '../touch.ts'
import { applyWaiting } from '../waiting.ts'

/** A first node.started shows the instance; a later one corrects what and where it is, and counts nothing again. */
export function foldNodeStarted(context: FoldContext, event: EventOf<'node.started'>): void {
  const { run, state } = context
  const facts = touch(state, event.payload.instanceId, event.seq)
  const nodeBefore = run.instances.get(facts.id)?.nodeId
  const parentBefore = facts.start?.payload.parentInstanceId ?? undefined
  clearFacts(facts, event.payload.cleared)
  const start = facts.start === undefined ? startFrom(event) : corrected(facts.start, event)
  facts.start = start
  relinkParent(state, facts, parentBefore, start.payload.parentInstanceId ?? undefined)
  const startedAt = Math.min(run.startedAt ?? event.ts, event.ts)
  if (startedAt !== run.startedAt) {
    run.startedAt = startedAt
    context.changed.run = true
  }
  const alias = start.payload.aliasOf ?? undefined
  // An alias of itself says nothing.
  const target = alias === facts.id ? undefined : alias
  if (target !== facts.alias) setAlias(context, facts, target)
  else {
    const root = resolve(state, facts.id)
    noteContribution(state, facts.id, root)
    refreshInstance(context, root)
  }
  const node = run.instances.get(facts.id)?.nodeId
  if (node !== undefined && node !== nodeBefore) applyWaiting(context, facts.id, node)
}

function startFrom({ payload, ts }: EventOf<'node.started'>): StartFacts {
  return { payload, ts, extra: extraOf('node.started', payload) }
}

function corrected(known: StartFacts, event: EventOf<'node.started'>): StartFacts {
  const newer = startFrom(event)
  return { payload: overlay(known.payload, newer.payload), ts: newer.ts, extra: overlay(known.extra, newer.extra) }
}

function relinkParent(state: FoldState, facts: InstanceFacts, before: string | undefined, after: string | undefined): void {
  if (before === after) return
  if (before !== undefined) state.facts.get(before)?.children?.delete(facts.id)
  if (after === undefined) return
  const parent = factsOf(state, after)
  parent.children ??= new Set()
  parent.children.add(facts.id)
}
