import type { ErrorInfo } from '@graphmind-ai/schema'
import { CircleX, Copy } from 'lucide-react'
import { useMemo } from 'react'
import { plural } from '../../model/format.ts'
import { readStack } from '../../model/stack.ts'
import { IconButton } from '../../ui/button.tsx'
import styles from './inspector.module.css'

/** A failure: type and message, then the program's own frames, then those of libraries folded away. */
export function ErrorCard({ error, overruled = false }: { error: ErrorInfo; overruled?: boolean }) {
  const frames = useMemo(() => readStack(error.stack ?? ''), [error.stack])
  const own = frames.filter((frame) => frame.own)
  const library = frames.filter((frame) => !frame.own)
  return (
    <article className={styles.error} aria-label={`Error ${error.name}`}>
      <div className={styles.errorHead}>
        <CircleX size={15} aria-hidden="true" />
        <strong>{error.name}</strong>
        {overruled && <span className={styles.overruled}>not the final outcome</span>}
        <IconButton
          label="Copy error"
          onClick={() => void navigator.clipboard.writeText(error.stack ?? `${error.name}: ${error.message}`).catch(console.warn)}
        >
          <Copy size={13} aria-hidden="true" />
        </IconButton>
      </div>
      <p className={styles.message}>{error.message === '' ? 'The error carries no message.' : error.message}</p>
      {own.length > 0 && <pre className={styles.frames}>{own.map((frame) => frame.text).join('\n')}</pre>}
      {library.length > 0 && (
        <details>
          <summary>{plural(library.length, 'library frame')}</summary>
          <pre className={styles.frames}>{library.map((frame) => frame.text).join('\n')}</pre>
        </details>
      )}
    </article>
  )
}
