import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CirclePlay,
  CircleQuestionMark,
  CircleStop,
  CircleX,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { type ShownState, STATE_WORDS } from '../model/states.ts'
import { cx } from './cx.ts'
import styles from './state-mark.module.css'

const ICONS: Record<ShownState, LucideIcon> = {
  running: CircleDot,
  step: CirclePlay,
  paused: CirclePause,
  ok: CircleCheck,
  error: CircleX,
  aborted: CircleStop,
  abandoned: CircleQuestionMark,
  hint: CircleDashed,
}

/** A state as icon and colour. `labelled` gives it its word for screen readers, where no text beside it says the same. */
export function StateMark({ state, labelled = false, size = 14 }: { state: ShownState; labelled?: boolean; size?: number }) {
  const Icon = ICONS[state]
  return (
    <span className={cx(styles.mark, styles[state])} title={labelled ? STATE_WORDS[state] : undefined}>
      <Icon size={size} strokeWidth={2} aria-hidden="true" />
      {labelled && <span className="visually-hidden">{STATE_WORDS[state]}</span>}
    </span>
  )
}

/** A state as icon and word on a tinted ground. */
export function StateChip({ state, children }: { state: ShownState; children?: ReactNode }) {
  return (
    <span className={cx(styles.chip, styles[state])}>
      <StateMark state={state} size={13} />
      {children ?? STATE_WORDS[state]}
    </span>
  )
}
