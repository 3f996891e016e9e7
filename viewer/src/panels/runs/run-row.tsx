import type { RunInfo } from '@graphmind-ai/schema'
import { Plug, PlugZap, Unplug } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Link } from 'wouter'
import { runAddress } from '../../model/address.ts'
import { ago, cost, count, dateTime, duration, exactly, MISSING, wholeSeconds } from '../../model/format.ts'
import { detachedReason, LINK_WORDS, linkKind, runState, STATE_WORDS } from '../../model/states.ts'
import { StateMark } from '../../ui/state-mark.tsx'
import styles from './runs-page.module.css'

export const ROW_HEIGHT = 32

/** The columns with their widths; those without one share what is left. */
export const COLUMNS: readonly { readonly title: string; readonly numeric: boolean; readonly width?: number }[] = [
  { title: 'State', numeric: false, width: 122 },
  { title: 'Name', numeric: false },
  { title: 'Link', numeric: false, width: 106 },
  { title: 'Started', numeric: false, width: 94 },
  { title: 'Duration', numeric: true, width: 92 },
  { title: 'Nodes', numeric: true, width: 64 },
  { title: 'Errors', numeric: true, width: 64 },
  { title: 'Tokens', numeric: true, width: 74 },
  { title: 'Cost', numeric: true, width: 82 },
  { title: 'Models', numeric: false, width: 150 },
  { title: 'Source', numeric: false, width: 76 },
]

const LINK_ICONS = { attached: PlugZap, detached: Unplug, imported: Plug }

interface RunRowProps {
  readonly run: RunInfo
  readonly index: number
  readonly nowMs: number
}

export function RunRow({ run, index, nowMs }: RunRowProps) {
  const state = runState(run, undefined)
  const link = linkKind(run)
  const LinkIcon = LINK_ICONS[link]
  const tokens = run.usage === undefined ? undefined : run.usage.inputTokens + run.usage.outputTokens
  const dollars = run.costUsd ?? run.usage?.costUsd
  return (
    <tr aria-rowindex={index + 2} data-state={state}>
      <td>
        <span className={styles.state}>
          <StateMark state={state} />
          {state === 'paused' && run.held > 1 ? `${STATE_WORDS.paused} ×${run.held}` : STATE_WORDS[state]}
        </span>
      </td>
      <td>
        <Link href={runAddress(run.id)} data-row="" title={exactFacts(run)} onKeyDown={walkRows}>
          {run.name}
        </Link>
        {run.app !== '' && run.app !== run.name && <span className={styles.app}>{run.app}</span>}
      </td>
      <td>
        <span className={styles.link} data-link={link}>
          <LinkIcon size={13} aria-hidden="true" />
          {LINK_WORDS[link]}
        </span>
      </td>
      <td>{ago(run.startedAt, nowMs)}</td>
      <td data-numeric="true">{run.status === 'running' ? wholeSeconds(nowMs - run.startedAt) : duration(run.durationMs)}</td>
      <td data-numeric="true">{count(run.nodeCount)}</td>
      <td data-numeric="true" className={run.errorCount > 0 ? styles.errors : styles.none}>
        {count(run.errorCount)}
      </td>
      <td data-numeric="true">{count(tokens)}</td>
      <td data-numeric="true">{cost(dollars)}</td>
      <td>{run.models.length === 0 ? MISSING : run.models.join(', ')}</td>
      <td>{run.source}</td>
    </tr>
  )
}

/** ↑ and ↓ walk the links of the rows; Enter opens one, as with any link. */
function walkRows(event: KeyboardEvent<HTMLAnchorElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const links = [...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])]
  const next = links[links.indexOf(event.currentTarget) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** The row's facts with all their digits: the link covers the row, so its tooltip is the row's. */
function exactFacts(run: RunInfo): string {
  const dollars = run.costUsd ?? run.usage?.costUsd
  return [
    `${run.name} · ${run.id}`,
    `Started ${dateTime(run.startedAt)}`,
    `${exactly(run.nodeCount)} nodes, ${exactly(run.eventCount)} events, ${exactly(run.spanCount)} spans`,
    run.usage === undefined ? 'No tokens reported' : `${exactly(run.usage.inputTokens)} tokens in, ${exactly(run.usage.outputTokens)} out`,
    dollars === undefined ? 'No cost reported' : `$${exactly(dollars)}, as reported`,
    run.models.join(', '),
    `Source: ${run.source}`,
    detachedReason(run),
  ]
    .filter(Boolean)
    .join('\n')
}
