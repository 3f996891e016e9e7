import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { askSessionPlace, type SessionPlace } from '../../link/sessions-api.ts'
import { runAddress } from '../../model/address.ts'
import { sessionFilter } from '../../model/run-filter.ts'
import { runsAddress } from '../../model/runs-address.ts'
import { useFacts } from '../../ui/viewer-context.tsx'
import styles from './top-bar.module.css'

/** Where the open run stands in its conversation, with the ways to the runs before and after it. */
export function SessionNeighbours({ runId, sessionId }: { runId: string; sessionId: string }) {
  const [place, setPlace] = useState<SessionPlace>()
  // The next turn of the conversation may begin while this one is looked at.
  const turns = useFacts(({ runs }) => [...(runs?.values() ?? [])].filter((run) => run.sessionId === sessionId).length)
  useEffect(() => {
    let wanted = turns > 0
    void askSessionPlace(runId).then((answer) => {
      if (wanted && answer.ok) setPlace(answer.value)
    })
    return () => {
      wanted = false
    }
  }, [runId, turns])
  if (place === undefined || place.count < 2) return null
  return (
    <span className={styles.neighbours}>
      {place.previous !== undefined && (
        <Link
          href={runAddress(place.previous.id)}
          aria-label={`Run before in this conversation: ${place.previous.name}`}
          title={place.previous.name}
        >
          <ChevronLeft size={14} aria-hidden="true" />
        </Link>
      )}
      <Link href={runsAddress({ filter: sessionFilter(sessionId), sort: 'started' })} title={`Conversation ${sessionId}`}>
        {place.position} of {place.count}
      </Link>
      {place.next !== undefined && (
        <Link href={runAddress(place.next.id)} aria-label={`Next run in this conversation: ${place.next.name}`} title={place.next.name}>
          <ChevronRight size={14} aria-hidden="true" />
        </Link>
      )}
    </span>
  )
}
