import type { InstancePicture } from '@graphmind-ai/schema'
import { ticking } from '../../model/format.ts'
import { useRunNow } from '../../ui/use-now.ts'
import { useOutlook } from '../../ui/use-outlook.ts'
import { ValueView } from '../../ui/value-view.tsx'
import { useFacts } from '../../ui/viewer-context.tsx'
import { ErrorCard } from './error-card.tsx'
import styles from './inspector.module.css'
import { StreamingText } from './streaming-text.tsx'

/** What would fill the place of a value that nobody recorded. */
const HOW_TO_RECORD =
  'Instrumentations often leave contents out until they are told to record them, for example by OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT or the AI SDK’s recordInputs and recordOutputs.'

export function InputValue({ instance }: { instance: InstancePicture }) {
  // A span leaves out what it may not tell; the hold says that it was hidden.
  const held = useFacts((state) => state.run?.picture.pauses.get(instance.pauseIds.at(-1) ?? '')?.input)
  return (
    <>
      {instance.edited !== undefined && (
        <ValueView
          label="Edited input"
          value={instance.edited.after}
          missing="not known"
          note={<span className={styles.mark}>edited by a person</span>}
        />
      )}
      <ValueView
        label={instance.edited === undefined ? 'Input' : 'Input as called'}
        value={instance.input === undefined ? held : instance.input}
        missing={`No input was recorded for this call. ${HOW_TO_RECORD}`}
      />
    </>
  )
}

/** The result in whatever form it is there: injected, streamed so far, failed, held, or finished. */
export function OutputValue({ instance }: { instance: InstancePicture }) {
  const held = useFacts((state) => {
    const pauseId = instance.pauseIds.at(-1)
    const pause = pauseId === undefined ? undefined : state.run?.picture.pauses.get(pauseId)
    return pause?.released === undefined ? pause : undefined
  })
  const output = instance.output === undefined ? held?.output : instance.output
  const missing = useMissingOutput(instance)
  const streaming = output === undefined && instance.stream !== undefined
  // A held failure is told by the card on why it waits.
  const errors = instance.errors.filter((error) => error.message !== held?.error?.message)
  return (
    <>
      {errors.map((error, index) => (
        // Errors are only ever added, so their place is their identity.
        <ErrorCard
          key={`${instance.id} ${String(index)}`}
          error={error}
          overruled={instance.injected !== undefined || instance.status === 'ok'}
          node={instance}
        />
      ))}
      {instance.injected !== undefined && (
        <ValueView
          label="Injected output"
          value={instance.injected.output}
          missing="not known"
          note={<span className={styles.mark}>given by a person</span>}
        />
      )}
      {streaming && instance.stream !== undefined && (
        <StreamingText stream={instance.stream} open={instance.status === 'running'} outputTokens={instance.usage?.outputTokens} />
      )}
      {!streaming && (instance.injected === undefined || instance.output !== undefined) && !(errors.length > 0 && output === undefined) && (
        <ValueView
          label={
            instance.injected !== undefined
              ? 'Output'
              : instance.output === undefined && held?.output !== undefined
                ? 'Output, held'
                : 'Output'
          }
          value={output}
          missing={missing}
        />
      )}
    </>
  )
}

function useMissingOutput(instance: InstancePicture): string {
  const abandoned = useOutlook() === 'abandoned'
  const now = useRunNow(100, instance.status === 'running' && !abandoned)
  if (abandoned && (instance.status === 'running' || instance.status === 'paused')) return 'No output: no end of this call was seen.'
  switch (instance.status) {
    case 'running':
      return `No output yet: running for ${ticking(now - instance.startedAt)}.`
    case 'paused':
      return 'No output yet: the call is held.'
    case 'aborted':
      return 'No output: the call was aborted.'
    case 'error':
      return 'No output: the call failed.'
    default:
      return `The call finished, but its output was not recorded. ${HOW_TO_RECORD}`
  }
}
