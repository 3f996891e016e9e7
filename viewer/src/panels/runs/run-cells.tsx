import { type RunInfo, runLinkOf, workMsOf } from '@graphmind-ai/schema'
import { Plug, PlugZap, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { ago, cost, count, dateTime, duration, exactDuration, exactly, MISSING, wholeSeconds } from '../../model/format.ts'
import type { RunColumn } from '../../model/run-columns.ts'
import { detachedReason, LINK_WORDS, runState, STATE_WORDS } from '../../model/states.ts'
import { StateMark } from '../../ui/state-mark.tsx'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './runs.module.css'

const LINK_ICONS = { attached: PlugZap, detached: Unplug, imported: Plug }

export function StateCell({ run }: { run: RunInfo }) {
  const mode = useFacts((facts) => facts.mode)
  const state = runState(run, undefined, mode)
  return (
    <span className={styles.state} data-state={state}>
      <StateMark state={state} flawed={run.errorCount > 0} />
      {state === 'paused' && run.held > 1 ? `${STATE_WORDS.paused} ×${run.held}` : STATE_WORDS[state]}
    </span>
  )
}

function LinkCell({ run }: { run: RunInfo }) {
  const link = runLinkOf(run)
  const Icon = LINK_ICONS[link]
  return (
    <span className={styles.link} data-link={link}>
      <Icon size={13} aria-hidden="true" />
      {LINK_WORDS[link]}
    </span>
  )
}

/** What stands in each column but the name, which is the row's link. */
export const CELLS: Record<Exclude<RunColumn['id'], 'name'>, (run: RunInfo, nowMs: number) => ReactNode> = {
  state: (run) => <StateCell run={run} />,
  link: (run) => <LinkCell run={run} />,
  started: (run, nowMs) => ago(run.startedAt, nowMs),
  duration: (run, nowMs) => (run.status === 'running' ? wholeSeconds(workMsOf(run, nowMs)) : duration(workMsOf(run, nowMs))),
  steps: (run) => count(run.stepCount),
  errors: (run) => <span className={run.errorCount > 0 ? styles.errors : styles.none}>{count(run.errorCount)}</span>,
  tokens: (run) => count(tokensOf(run)),
  cost: (run) => cost(costOf(run)),
  model: (run) => (run.models.length === 0 ? MISSING : run.models.join(', ')),
  source: (run) => run.source,
}

function tokensOf({ usage }: RunInfo): number | undefined {
  return usage === undefined ? undefined : usage.inputTokens + usage.outputTokens
}

/** US dollars: what the run reports of its whole, else of its calls. */
export function costOf({ costUsd, usage }: RunInfo): number | undefined {
  return costUsd ?? usage?.costUsd
}

/** The row's facts with all their digits: the link covers the row, so its tooltip is the row's. */
export function exactFacts(run: RunInfo): string {
  const dollars = costOf(run)
  return [
    `${run.name} · ${run.id}`,
    run.originalName === undefined ? undefined : `Came as ${run.originalName}`,
    run.note === undefined ? undefined : `Note: ${run.note}`,
    run.tags.length === 0 ? undefined : `Tags: ${run.tags.join(', ')}`,
    `Started ${dateTime(run.startedAt)}`,
    run.status === 'running' || run.durationMs === null ? undefined : `Took ${exactDuration(workMsOf(run, run.startedAt))}`,
    run.heldMs >= 1 ? `Held for ${duration(run.heldMs)}, not counted as duration` : undefined,
    `${exactly(run.stepCount)} steps of ${exactly(run.nodeCount)} nodes, ${exactly(run.eventCount)} events`,
    run.usage === undefined ? 'No tokens reported' : `${exactly(run.usage.inputTokens)} tokens in, ${exactly(run.usage.outputTokens)} out`,
    dollars === undefined ? 'No cost reported' : `$${exactly(dollars)}, as reported`,
    run.models.join(', '),
    run.sessionId === undefined ? undefined : `Conversation ${run.sessionId}`,
    `Source: ${run.source}`,
    detachedReason(run),
  ]
    .filter(Boolean)
    .join('\n')
}
