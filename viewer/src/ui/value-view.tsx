import { findForbiddenMarker } from '@graphmind-ai/schema'
import { Copy, Search, WrapText } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { HIDDEN, MISSING, plural, size } from '../model/format.ts'
import { shownKey } from '../model/key-settings.ts'
import { isHidden, prettyJson, withTextsParsed } from '../model/values.ts'
import { Button, IconButton } from './button.tsx'
import { useOpened } from './opened.ts'
import { Prose, ProseSwitch } from './prose.tsx'
import styles from './value-view.module.css'
import { useViewer, useWorkbench } from './viewer-context.tsx'
import { setWrap } from './workbench.ts'

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
export function ValueView({ label, value: asSent, missing, note }: ValueViewProps) {
  const { workbench } = useViewer()
  const wrap = useWorkbench((state) => state.wrap)
  const [isParsed, setParse] = useOpened(`${label} parsed`)
  const parse = isParsed === true
  // Looking into every text of a large value would hold up the one who only wants to see it.
  const opened = useMemo(() => (isLarge(asSent) ? undefined : withTextsParsed(asSent)), [asSent])
  const value = parse && opened !== undefined ? opened.value : asSent
  const text = useMemo(() => (typeof value === 'string' ? value : prettyJson(value)), [value])
  const isCut = useMemo(() => findForbiddenMarker(asSent) === 'truncated', [asSent])
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
            {typeof value === 'string' && <ProseSwitch />}
            {opened !== undefined && opened.parsed > 0 && (
              <Button aria-pressed={parse} title="Shows texts that hold JSON as what they hold" onClick={() => setParse(!parse)}>
                Parse{typeof asSent === 'string' ? '' : ` ${plural(opened.parsed, 'text')}`}
              </Button>
            )}
            <span className={styles.size}>{size(text.length)}</span>
            {typeof value !== 'string' && text.length > SMALL && (
              <IconButton label={`Find in ${label.toLowerCase()}`} keyHint={shownKey('Mod+f')} onClick={() => setFinding(finding + 1)}>
                <Search size={13} aria-hidden="true" />
              </IconButton>
            )}
            {typeof value === 'object' && value !== null && (
              <IconButton label="Wrap long lines" aria-pressed={wrap} onClick={() => setWrap(workbench, !wrap)}>
                <WrapText size={13} aria-hidden="true" />
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
      {isCut && <p className={styles.missing}>Not the whole value: it was too large to send, so its program cut part of it off.</p>}
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
        <div className={styles.text}>
          <Prose text={value} />
        </div>
      ) : (
        <div className={styles.json}>
          <Suspense fallback={<pre className={styles.meanwhile}>{text.slice(0, MEANWHILE)}</pre>}>
            <JsonView text={text} label={label} finding={finding} wrap={wrap} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** Characters up to which texts are looked into for JSON, and how many values. */
const PARSED = { characters: 200_000, values: 5000 }

/** Whether a value is too large to look into all of it. Counts no further than needed. */
function isLarge(value: unknown): boolean {
  let [characters, values] = [0, 0]
  const left: unknown[] = [value]
  for (let next = left.pop(); left.length > 0 || next !== undefined; next = left.pop()) {
    values += 1
    if (typeof next === 'string') characters += next.length
    else if (typeof next === 'object' && next !== null) left.push(...Object.values(next))
    if (characters > PARSED.characters || values > PARSED.values) return true
  }
  return false
}
