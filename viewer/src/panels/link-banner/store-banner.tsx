import { Database, X } from 'lucide-react'
import { useState } from 'react'
import { readServerFacts, SERVER_PATH } from '../../link/server-api.ts'
import { IconButton } from '../../ui/button.tsx'
import { usePolled } from '../../ui/use-polled.ts'
import styles from './link-banner.module.css'

const EVERY_MS = 5000

/** Says on every screen when runs can't be stored any more, or soon won't be. A warning can be put away; a problem stays as long as it is one. */
export function StoreBanner() {
  const store = usePolled(SERVER_PATH, EVERY_MS, readServerFacts)?.store
  const [dismissed, setDismissed] = useState<string>()
  if (store?.problem !== undefined)
    return (
      <div className={styles.banner} role="alert" data-kind="offline">
        <Database size={15} aria-hidden="true" />
        <p>
          <strong>Nothing new is stored.</strong> {store.problem}
        </p>
      </div>
    )
  const warning = store?.warning
  if (warning === undefined || warning.code === dismissed) return null
  return (
    <div className={styles.banner} role="status" aria-label="Store" data-kind="problem">
      <Database size={15} aria-hidden="true" />
      <p>{warning.message}</p>
      <IconButton label="Dismiss" onClick={() => setDismissed(warning.code)}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
