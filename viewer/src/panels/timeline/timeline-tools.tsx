import { Clock, Maximize, Minus, Plus } from 'lucide-react'
import type { RefObject } from 'react'
import { plural } from '../../model/format.ts'
import { IconButton, withKey } from '../../ui/button.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import styles from './timeline.module.css'
import type { TimeView } from './use-time-view.ts'

interface TimelineToolsProps {
  readonly search: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly setText: (text: string) => void
  readonly hits: number
  /** Which of the hits is selected, from 0; −1 when none is. */
  readonly hitAt: number
  readonly cycle: (step: 1 | -1) => void
  /** Gives the focus back to the lines. */
  readonly leave: () => void
  readonly onlyHits: boolean
  readonly setOnlyHits: (only: boolean) => void
  readonly clockTime: boolean
  readonly setClockTime: (clock: boolean) => void
  readonly view: TimeView
}

/** Finding and zooming, above the timeline. */
export function TimelineTools(props: TimelineToolsProps) {
  const keyOf = useKeyOf()
  const { search, text, setText, hits, hitAt, cycle, leave, onlyHits, setOnlyHits, clockTime, setClockTime, view } = props
  return (
    <div className={styles.tools}>
      <input
        ref={search}
        type="search"
        className={styles.search}
        placeholder={withKey('Find a step', keyOf('view.find'))}
        aria-label="Find a step"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') cycle(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape') {
            event.stopPropagation()
            if (text === '') leave()
            else setText('')
          }
        }}
      />
      {text.trim() !== '' && (
        <>
          <span className={styles.hits} role="status">
            {hits === 0
              ? 'No step has this in its name, kind, model or id.'
              : `${plural(hits, 'match', 'matches')}${hitAt >= 0 ? `, ${hitAt + 1} shown` : ''}`}
          </span>
          <label className={styles.only}>
            <input type="checkbox" checked={onlyHits} onChange={(event) => setOnlyHits(event.target.checked)} />
            Only matches
          </label>
        </>
      )}
      <span className={styles.toolsEnd}>
        <IconButton
          label={clockTime ? 'Show times since the start' : 'Show the time of day'}
          aria-pressed={clockTime}
          onClick={() => setClockTime(!clockTime)}
        >
          <Clock size={14} aria-hidden="true" />
        </IconButton>
        <IconButton label="Zoom the timeline out" keyHint={keyOf('view.zoom-out')} onClick={() => view.zoom(2)}>
          <Minus size={14} aria-hidden="true" />
        </IconButton>
        <IconButton label="Zoom the timeline in" keyHint={keyOf('view.zoom-in')} onClick={() => view.zoom(0.5)}>
          <Plus size={14} aria-hidden="true" />
        </IconButton>
        <IconButton label="Show the whole run" keyHint={keyOf('view.fit')} disabled={!view.zoomed} onClick={view.all}>
          <Maximize size={14} aria-hidden="true" />
        </IconButton>
      </span>
    </div>
  )
}
