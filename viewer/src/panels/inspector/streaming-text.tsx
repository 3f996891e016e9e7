import type { StreamPicture } from '@graphmind-ai/schema'
import { count } from '../../model/format.ts'
import { Fold } from '../../ui/fold.tsx'
import styles from './inspector.module.css'

interface StreamingTextProps {
  readonly stream: StreamPicture
  readonly open: boolean
  /** As the call reported them, which most do at their end. */
  readonly outputTokens: number | undefined
}

/** Output as it is streamed, with a caret at its end while more may come, and how fast it comes. */
export function StreamingText({ stream, open, outputTokens }: StreamingTextProps) {
  const seconds = (stream.lastAt - stream.firstAt) / 1000
  return (
    <div className={styles.stream} aria-busy={open}>
      {stream.reasoning !== '' && (
        <Fold part="reasoning" summary="Reasoning" className={styles.reasoning} isOpen={stream.text === ''}>
          <p>{stream.reasoning}</p>
        </Fold>
      )}
      <p className={styles.streamText}>
        {stream.text}
        {stream.text === '' && stream.toolArgs !== '' && <code>{stream.toolArgs}</code>}
        {open && <span className={styles.caret} aria-hidden="true" />}
      </p>
      <p className={styles.quiet}>
        {open ? 'Streaming' : 'The stream ended here'}
        {seconds > 0.2 && `, ${speedWords(stream.chunks, outputTokens, seconds)}`}
      </p>
    </div>
  )
}

/** A piece may hold several tokens or a part of one, so it is not called one. */
function speedWords(pieces: number, outputTokens: number | undefined, seconds: number): string {
  if (outputTokens === undefined) return `${count(Math.round(pieces / seconds))} pieces/s`
  return `${count(Math.round(outputTokens / seconds))} tok/s`
}
