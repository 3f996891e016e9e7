import type { InstancePicture, NodeKind } from '@graphmind-ai/schema'
import { ChevronDown, ChevronRight, PencilLine } from 'lucide-react'
import { touchedWords } from '../model/states.ts'
import { KindIcon } from './kind-icon.tsx'
import styles from './step-label.module.css'

interface StepFoldProps {
  /** From 1. */
  readonly level: number
  /** Px a level is moved in. */
  readonly indent: number
  /** Undefined for what has nothing below it. */
  readonly expanded: boolean | undefined
  readonly toggle: () => void
}

/** How deep a row stands, and the button that folds what is below it. */
export function StepFold({ level, indent, expanded, toggle }: StepFoldProps) {
  const Chevron = expanded === true ? ChevronDown : ChevronRight
  return (
    <>
      <span style={{ width: (level - 1) * indent }} className={styles.indent} />
      {expanded === undefined ? (
        <span className={styles.chevron} />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className={styles.chevron}
          aria-label={expanded ? 'Fold' : 'Open'}
          onClick={(event) => {
            event.stopPropagation()
            toggle()
          }}
        >
          <Chevron size={13} aria-hidden="true" />
        </button>
      )}
    </>
  )
}

export function KindAndName({ kind, name }: { kind: NodeKind; name: string }) {
  return (
    <>
      <span className={styles.kind}>
        <KindIcon kind={kind} size={13} />
      </span>
      <span className={styles.name} title={name} data-name="">
        {name}
      </span>{' '}
    </>
  )
}

/** What stands above the calls whose parent has not come. */
export const ORPHANS_TITLE = 'Parent not received'
/** Why that is, for who wonders. */
export const ORPHANS_WHY = 'These calls name a caller of which nothing arrived: it goes on still, or its data was lost or sampled away.'

/** What a row calls a call: kind, name, the model it asked, and what is odd about it. */
export function StepLabel({ instance }: { instance: InstancePicture }) {
  const touched = touchedWords(instance)
  return (
    <>
      <KindAndName kind={instance.kind} name={instance.name} />
      {instance.kind === 'llm' && instance.model !== undefined && instance.model !== instance.name && (
        <span className={styles.model} title={instance.model}>
          {instance.model}{' '}
        </span>
      )}
      {touched !== undefined && (
        <span className={styles.touched} title={`The ${touched} by a person`}>
          <PencilLine size={12} aria-hidden="true" />
        </span>
      )}
    </>
  )
}

/** The words of a label as they are to be seen, so that who speaks to the page can say what they read. */
export function stepLabelWords(instance: InstancePicture): string {
  const model = instance.kind === 'llm' && instance.model !== instance.name ? instance.model : undefined
  return [instance.name, model].filter(Boolean).join(' ')
}
