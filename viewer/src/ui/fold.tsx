import type { ReactNode } from 'react'
import { useOpened } from './opened.ts'

interface FoldProps {
  /** What it is, the same wherever it is met again: there it is open when it was left open here. */
  readonly part: string
  readonly summary: ReactNode
  readonly children: ReactNode
  /** Whether it is open while nobody chose. */
  readonly isOpen?: boolean
  readonly className?: string | undefined
  readonly failed?: boolean
}

/** A part that opens at its summary, and closes nowhere else. */
export function Fold({ part, summary, children, isOpen = false, className, failed }: FoldProps) {
  const [chosen, choose] = useOpened(part)
  const shown = chosen ?? isOpen
  return (
    <details
      open={shown}
      className={className}
      data-failed={failed}
      onToggle={({ currentTarget: { open } }) => {
        // The browser also tells of what was drawn open, which is nobody's choice.
        if (open !== shown) choose(open)
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
