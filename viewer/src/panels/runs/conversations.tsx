import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { askSessions, type Session, type SessionPage } from '../../link/sessions-api.ts'
import { ago, cost, count, dateTime } from '../../model/format.ts'
import { sessionFilter } from '../../model/run-filter.ts'
import { runsAddress } from '../../model/runs-address.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './runs.module.css'
import { usePages } from './use-pages.ts'
import { openFocused, useRunsScreen, walkLinks } from './use-runs-screen.ts'

/** Runs that belong together, one row for each conversation, the one with the newest run first. */
export function Conversations() {
  // Read again when a run of a conversation comes, goes or ends, and after the link was down.
  const change = useFacts(({ link, runs }) =>
    link.phase === 'live' && runs !== undefined
      ? [...runs.values()].filter((run) => run.sessionId !== undefined).reduce((sum, run) => sum + (run.status === 'running' ? 1 : 1024), 1)
      : 0,
  )
  const { items: sessions, problem, isReading, readMore, readAgain } = usePages<Session, SessionPage>(askSessions)
  const known = useRef(change)
  useEffect(() => {
    if (known.current === change || change === 0) return
    known.current = change
    readAgain()
  }, [change, readAgain])
  const now = useNow(1000)
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useRunsScreen({ field, move: (step) => walkLinks(list.current, step), open: openFocused, runs: undefined })
  if (problem !== undefined && sessions === undefined) {
    return (
      <div className={styles.waiting} role="alert">
        <p>The conversations could not be read. {problem}</p>
        <Button onClick={readAgain}>Read again</Button>
      </div>
    )
  }
  if (sessions === undefined) return <p className={styles.waiting}>Reading the conversations…</p>
  if (sessions.length === 0) {
    return (
      <div className={styles.waiting}>
        <p>
          No run says which conversation it belongs to. Set <code>session.id</code> (or <code>gen_ai.conversation.id</code>) on the agent’s
          spans, and its runs stand together here.
        </p>
      </div>
    )
  }
  return (
    <div ref={list} className={styles.scroller}>
      <table aria-label="Conversations" className={styles.table} data-plain="true">
        <thead>
          <tr>
            <th scope="col">Conversation</th>
            <th scope="col" data-wide="true">
              Newest run
            </th>
            <th scope="col" data-numeric="true">
              Runs
            </th>
            <th scope="col" data-numeric="true" data-wide="true">
              Running
            </th>
            <th scope="col" data-numeric="true">
              With errors
            </th>
            <th scope="col" data-numeric="true" data-wide="true">
              Tokens
            </th>
            <th scope="col" data-numeric="true" data-wide="true">
              Cost
            </th>
            <th scope="col">Last started</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.sessionId} session={session} nowMs={now} />
          ))}
        </tbody>
      </table>
      {readMore !== undefined && (
        <div className={styles.foot}>
          <Button onClick={readMore} disabled={isReading}>
            More conversations
          </Button>
        </div>
      )}
    </div>
  )
}

function SessionRow({ session, nowMs }: { session: Session; nowMs: number }) {
  const address = runsAddress({ filter: sessionFilter(session.sessionId), sort: 'started' })
  return (
    <tr data-state="session">
      <td>
        <Link href={address} data-row={session.sessionId} title={`${session.sessionId}\nBegan ${dateTime(session.startedAt)}`}>
          {session.sessionId}
        </Link>
      </td>
      <td data-wide="true">{session.newest}</td>
      <td data-numeric="true">{count(session.runs)}</td>
      <td data-numeric="true" data-wide="true">
        {count(session.running)}
      </td>
      <td data-numeric="true" className={session.failed > 0 ? styles.errors : styles.none}>
        {count(session.failed)}
      </td>
      <td data-numeric="true" data-wide="true">
        {count(session.tokens)}
      </td>
      <td data-numeric="true" data-wide="true">
        {cost(session.costUsd)}
      </td>
      <td>{ago(session.lastStartedAt, nowMs)}</td>
    </tr>
  )
}
