import type { ErrorInfo, NodeKind, PausePicture } from '@graphmind-ai/schema'
import { CircleDot, CircleX, Copy, RotateCcw } from 'lucide-react'
import { useMemo } from 'react'
import { toggleMatcher } from '../../commands/breakpoints.ts'
import { performPauseAction } from '../../commands/held-call.ts'
import { findBreakpoint, onErrorOf } from '../../model/breakpoints.ts'
import { plural } from '../../model/format.ts'
import { offers } from '../../model/pauses.ts'
import { causesIn, readStack } from '../../model/stack.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { useRepeatCaution } from '../../ui/use-repeat-caution.ts'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import styles from './inspector.module.css'

interface ErrorCardProps {
  readonly error: ErrorInfo
  /** A person put something else in its place. */
  readonly overruled?: boolean
  /** Whose failure it is, so that the next one there can be held. */
  readonly node?: { readonly kind: NodeKind; readonly name: string }
  /** The hold at the failed call, where it can be run again. */
  readonly held?: PausePicture
}

/** A failure: type and message, then the program's own frames, then those of libraries folded away. */
export function ErrorCard({ error, overruled = false, node, held }: ErrorCardProps) {
  const isRetryable = useIsRetryable(held)
  const caution = useRepeatCaution(held)
  const frames = useMemo(() => readStack(error.stack ?? ''), [error.stack])
  const causes = useMemo(() => causesIn(error.stack ?? ''), [error.stack])
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
      {causes.map((cause) => (
        <p key={cause} className={styles.message}>
          Caused by: {cause}
        </p>
      ))}
      {own.length > 0 && <pre className={styles.frames}>{own.map((frame) => frame.text).join('\n')}</pre>}
      {library.length > 0 && (
        <Fold part="library frames" summary={plural(library.length, 'library frame')}>
          <pre className={styles.frames}>{library.map((frame) => frame.text).join('\n')}</pre>
        </Fold>
      )}
      <div className={styles.errorActions}>
        {isRetryable && held !== undefined && <RetryHeld pause={held} caution={caution} />}
        {node !== undefined && <BreakNextTime node={node} />}
      </div>
    </article>
  )
}

function useIsRetryable(pause: PausePicture | undefined): boolean {
  const viewer = useViewer()
  return useFacts(({ requests, runs, run }) => {
    if (pause === undefined || viewer.recorded !== undefined) return false
    // Before the history is complete nobody knows whether the call is still held.
    if (run === undefined || run.asOf !== undefined || run.phase !== 'ready') return false
    return offers(pause, runs?.get(run.runId), requests.get(pause.pauseId)?.state).some(
      ({ action, offered }) => action === 'retry' && offered,
    )
  })
}

/** Runs the held call again, as the pause bar does. */
function RetryHeld({ pause, caution }: { pause: PausePicture; caution: string | undefined }) {
  const viewer = useViewer()
  return (
    <Button
      title={['Run the call again.', caution].join(' ').trimEnd()}
      aria-description={caution}
      onClick={() => {
        viewer.workbench.setState({ waiterId: pause.pauseId })
        performPauseAction(viewer, 'retry')
      }}
    >
      <RotateCcw size={13} aria-hidden="true" />
      Retry
    </Button>
  )
}

function BreakNextTime({ node }: { node: NonNullable<ErrorCardProps['node']> }) {
  const viewer = useViewer()
  const wanted = onErrorOf(node)
  const set = useFacts(({ breakpoints }) => findBreakpoint(breakpoints, wanted) !== undefined)
  const ready = useFacts(({ link }) => link.phase === 'live')
  if (viewer.recorded !== undefined) return null
  return (
    <Button
      aria-pressed={set}
      disabled={!ready}
      title={`Holds ${node.kind} ${node.name} when it fails again`}
      onClick={() => toggleMatcher(viewer, wanted)}
    >
      <CircleDot size={13} aria-hidden="true" />
      {set ? 'Breaks here next time' : 'Break here next time'}
    </Button>
  )
}
