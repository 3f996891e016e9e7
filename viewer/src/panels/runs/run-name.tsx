import type { RunInfo } from '@graphmind-ai/schema'
import { MessagesSquare, Pin, StickyNote } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { markRuns } from '../../commands/runs.ts'
import { runAddress } from '../../model/address.ts'
import { useViewer } from '../../ui/viewer-context.tsx'
import { exactFacts } from './run-cells.tsx'
import styles from './runs.module.css'

interface RunNameProps {
  readonly run: RunInfo
  readonly isCurrent: boolean
  readonly isRenamed: boolean
  readonly onFocus: () => void
  readonly onOpen: (event: MouseEvent<HTMLAnchorElement>) => void
  readonly endRename: () => void
}

/** The name as the row's link, with what people said of the run; or the field in which it gets another name. */
export function RunName({ run, isCurrent, isRenamed, onFocus, onOpen, endRename }: RunNameProps) {
  return (
    <span className={styles.name}>
      {run.pinned && (
        <span className={styles.pinned}>
          <Pin size={12} aria-hidden="true" />
          <span className="visually-hidden">Pinned</span>
        </span>
      )}
      {isRenamed ? (
        <NameField key={run.id} run={run} end={endRename} />
      ) : (
        <a
          href={runAddress(run.id)}
          data-row={run.id}
          tabIndex={isCurrent ? 0 : -1}
          title={exactFacts(run)}
          onFocus={onFocus}
          onClick={onOpen}
        >
          {run.name}
        </a>
      )}
      {run.app !== '' && run.app !== run.name && <span className={styles.app}>{run.app}</span>}
      {run.sessionId !== undefined && <MessagesSquare size={12} aria-hidden="true" className={styles.hint} />}
      {run.note !== undefined && <StickyNote size={12} aria-hidden="true" className={styles.hint} />}
      {run.tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
    </span>
  )
}

function NameField({ run, end }: { run: RunInfo; end: () => void }) {
  const viewer = useViewer()
  const field = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => field.current?.select(), [])
  const finish = (save: boolean) => {
    if (isOver.current) return
    isOver.current = true
    const name = field.current?.value.trim() ?? ''
    if (save && name !== run.name) {
      const taken = name === '' || name === run.originalName
      void markRuns(
        viewer,
        [run],
        () => ({ name: taken ? null : name }),
        () => (taken ? 'The run has its own name again.' : `Renamed to ${name}.`),
      )
    }
    end()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    finish(event.key === 'Enter')
  }
  return (
    <input
      ref={field}
      className={styles.rename}
      aria-label="Name of the run"
      defaultValue={run.name}
      maxLength={200}
      placeholder={run.originalName ?? run.name}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
    />
  )
}
