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

interface StateMarkProps {
  readonly state: ShownState
  /** Its word is there for screen readers, where no text beside it says the same. */
  readonly labelled?: boolean
  /** Calls inside it, or earlier ones of it, failed: then a good end is not shown as if all were well. */
  readonly flawed?: boolean
  /** px */
  readonly size?: number
}

/** A state as icon and colour. */
export function StateMark({ state, labelled = false, flawed = false, size = 14 }: StateMarkProps) {
  const Icon = ICONS[state]
  return (
    <span className={cx(styles.mark, styles[state])} data-flawed={flawed} title={labelled ? STATE_WORDS[state] : undefined}>
      <Icon size={size} strokeWidth={2} aria-hidden="true" />
      {labelled && <span className="visually-hidden">{STATE_WORDS[state]}</span>}
    </span>
  )
}

/** A state as icon and word on a tinted ground. */
export function StateChip({ state, flawed = false, children }: { state: ShownState; flawed?: boolean; children?: ReactNode }) {
  return (
    <span className={cx(styles.chip, styles[state])} data-flawed={flawed}>
      <StateMark state={state} flawed={flawed} size={13} />
      {children ?? STATE_WORDS[state]}
    </span>
  )
}
