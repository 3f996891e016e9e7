import { Copy, Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { HIDDEN, MISSING, size } from '../model/format.ts'
import { isHidden, prettyJson } from '../model/values.ts'
import { Button, IconButton } from './button.tsx'
import styles from './value-view.module.css'

const JsonView = lazy(() => import('./code/json-view.tsx'))

/** Above this many characters a value is drawn on demand only. */
const LARGE = 2_000_000
/** Up to this many characters everything is in sight, so that there is nothing to find. */
const SMALL = 400
/** How much of a text stands in for the JSON view while its code loads. */
const MEANWHILE = 4000

interface ValueViewProps {
  readonly label: string
  readonly value: unknown
  /** What to say when there is no value: why, and what would fill it. */
  readonly missing: string
  readonly note?: ReactNode
}

/** One value: JSON with folding, text as it is, hidden and missing values as such. */
export function ValueView({ label, value, missing, note }: ValueViewProps) {
  const text = useMemo(() => (typeof value === 'string' ? value : prettyJson(value)), [value])
  const [showLarge, setShowLarge] = useState(false)
  const [finding, setFinding] = useState(0)
  const [copied, setCopied] = useState(false)
  return (
    <div className={styles.value}>
      <div className={styles.head}>
        <h3>{label}</h3>
        {note}
        {value !== undefined && !isHidden(value) && (
          <>
            <span className={styles.size}>{size(text.length)}</span>
            {typeof value !== 'string' && text.length > SMALL && (
              <IconButton label={`Find in ${label.toLowerCase()}`} keyHint="Ctrl F" onClick={() => setFinding(finding + 1)}>
                <Search size={13} aria-hidden="true" />
              </IconButton>
            )}
            <IconButton
              label={copied ? 'Copied' : `Copy ${label.toLowerCase()}`}
              onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true), console.warn)}
            >
              <Copy size={13} aria-hidden="true" />
            </IconButton>
          </>
        )}
      </div>
      {value === undefined ? (
        <p className={styles.missing}>
          <span aria-hidden="true">{MISSING} </span>
          {missing}
        </p>
      ) : isHidden(value) ? (
        <p className={styles.missing}>{HIDDEN} hidden before it left the agent (a GRAPHMIND_HIDE_… switch is on there)</p>
      ) : text.length > LARGE && !showLarge ? (
        <Button onClick={() => setShowLarge(true)}>Show {size(text.length)}</Button>
      ) : typeof value === 'string' ? (
        <p className={styles.text}>{value}</p>
      ) : (
        <div className={styles.json}>
          <Suspense fallback={<pre className={styles.meanwhile}>{text.slice(0, MEANWHILE)}</pre>}>
            <JsonView text={text} label={label} finding={finding} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
