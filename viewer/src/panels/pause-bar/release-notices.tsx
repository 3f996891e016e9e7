import { CircleCheck, Unplug, X } from 'lucide-react'
import { useEffect } from 'react'
import type { ReleaseNotice } from '../../link/viewer-state.ts'
import { dropDrafts } from '../../model/draft.ts'
import { ago } from '../../model/format.ts'
import { pauseName, releaseWords } from '../../model/pauses.ts'
import { IconButton } from '../../ui/button.tsx'
import { storage } from '../../ui/remembered.ts'
import { useNow } from '../../ui/use-now.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './pause-bar.module.css'

const SHOWN_MS = 6000
const NONE: readonly ReleaseNotice[] = []

/** How holds ended while we looked on. What a person did fades by itself; what happened by itself stays until it was read. */
export function ReleaseNotices() {
  const notices = useFacts((state) => state.run?.notices ?? NONE)
  return (
    <div role="status" aria-label="Released calls" className={styles.notices}>
      {notices.map((notice) => (
        <Notice key={notice.pause.pauseId} notice={notice} />
      ))}
    </div>
  )
}

function Notice({ notice: { pause, mine } }: { notice: ReleaseNotice }) {
  const { actions } = useViewer()
  const runId = useFacts((state) => state.run?.runId)
  const release = pause.released
  const byItself = release !== undefined && release.cause !== 'viewer'
  const isFromElsewhere = byItself || !mine
  const now = useNow(1000, isFromElsewhere)
  useEffect(() => {
    const store = storage()
    if (store !== undefined && runId !== undefined) dropDrafts(store, runId, pause.pauseId)
  }, [runId, pause.pauseId])
  useEffect(() => {
    if (byItself) return
    const timer = setTimeout(() => actions.dismissNotice(pause.pauseId), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [actions, byItself, pause.pauseId])
  if (release === undefined) return null
  const Icon = byItself ? Unplug : CircleCheck
  return (
    <p className={styles.notice} data-by-itself={byItself}>
      <Icon size={14} aria-hidden="true" />
      <span>
        <strong>{releaseWords(release, mine)}</strong> · {pauseName(pause)}
        {isFromElsewhere && ` · ${ago(release.at, now)}`}
      </span>
      <IconButton label="Dismiss" onClick={() => actions.dismissNotice(pause.pauseId)}>
        <X size={13} aria-hidden="true" />
      </IconButton>
    </p>
  )
}
