import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { cx } from './cx.ts'

type Look = 'plain' | 'primary' | 'danger' | 'quiet'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  readonly look?: Look
  /** The key that does the same, shown on the button and not read out as part of its name. */
  readonly keyHint?: string | undefined
  readonly ref?: Ref<HTMLButtonElement>
  readonly children?: ReactNode
}

export function Button({ look = 'plain', keyHint, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={cx(styles.button, styles[look])} data-look={look}>
      {children}
      {keyHint !== undefined && (
        <span className={styles.key} aria-hidden="true" data-key="">
          {keyHint}
        </span>
      )}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-label' | 'title'> {
  readonly label: string
  readonly keyHint?: string | undefined
  readonly children: ReactNode
}

/** A button that shows only an icon; its name is the label, which the tooltip repeats with the key. */
export function IconButton({ label, keyHint, children, ...rest }: IconButtonProps) {
  const title = withKey(label, keyHint)
  return (
    <button type="button" {...rest} aria-label={label} title={title} className={cx(styles.button, styles.icon)}>
      {children}
    </button>
  )
}

/** A tooltip with the key that does the same. */
export function withKey(label: string, key: string | undefined): string {
  return key === undefined ? label : `${label} (${key})`
}
