import type { StreamPicture } from '@graphmind-ai/schema'
import { count } from '../../model/format.ts'
import { Fold } from '../../ui/fold.tsx'
import styles from './inspector.module.css'

/** Output as it is streamed, with a caret at its end while more may come. */
export function StreamingText({ stream, open }: { stream: StreamPicture; open: boolean }) {
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
        {seconds > 0.2 && `, ${count(Math.round(stream.chunks / seconds))} pieces/s`}
      </p>
    </div>
  )
}
