import type { PausePicture, RunPicture } from '@graphmind-ai/schema'
import { X } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { type DraftKind, draftStart, loadDraft, readDraft, saveDraft, wrapAsText } from '../../model/draft.ts'
import { fieldsWords, readShape } from '../../model/json-shape.ts'
import { shownKey } from '../../model/key-settings.ts'
import { isInFlight } from '../../model/pauses.ts'
import { toolDefinition } from '../../model/tool-definition.ts'
import { isObject } from '../../model/values.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { ComparisonView } from '../../ui/code/comparison-view.tsx'
import type { Expected } from '../../ui/code/shape-hints.ts'
import { storage } from '../../ui/remembered.ts'
import { ValueView } from '../../ui/value-view.tsx'
import { useFacts, useViewer } from '../../ui/viewer-context.tsx'
import { ErrorCard } from '../inspector/error-card.tsx'
import styles from './pause-bar.module.css'

const JsonEditor = lazy(() => import('../../ui/code/json-editor.tsx'))

const WORDS = {
  inject: { label: 'Injected value', help: 'Goes on as this call’s output.' },
  edit: { label: 'Edited input', help: 'Its top-level keys replace those of the call.' },
} satisfies Record<DraftKind, unknown>

const LOOKS = [
  { value: 'now', label: 'Now' },
  { value: 'changes', label: 'Changes' },
] as const

interface DraftEditorProps {
  readonly pause: PausePicture
  readonly kind: DraftKind
  /** Why the agent refused the last one; the draft stays. */
  readonly refusal: string | undefined
}

/** What is there now beside what to send instead. The draft is kept per pause and survives a reload. */
export function DraftEditor({ pause, kind, refusal }: DraftEditorProps) {
  const { actions, workbench } = useViewer()
  const run = useFacts((state) => state.run)
  const command = useFacts((state) => state.requests.get(pause.pauseId)?.state)
  const sent = isInFlight(command)
  const instance = pause.instanceId === undefined ? undefined : run?.picture.instances.get(pause.instanceId)
  const runId = run?.runId ?? ''
  const picture = run?.picture
  const start = useMemo(() => (picture === undefined ? undefined : draftStart(kind, pause, picture)), [kind, pause, picture])
  const expected = useMemo(() => (picture === undefined ? undefined : expectedOf(kind, pause, picture)), [kind, pause, picture])
  const fields = expected === undefined ? undefined : fieldsWords(expected.shape)
  const [text, setText] = useState(() => loadStored(runId, pause.pauseId, kind) ?? start?.text ?? 'null')
  const reading = useMemo(() => readDraft(kind, text), [kind, text])
  const [look, setLook] = useState<'now' | 'changes'>('now')
  // A key in the editor never waits for the comparison.
  const compared = useDeferredValue(text)
  const { label, help } = WORDS[kind]

  const change = (next: string) => {
    setText(next)
    const store = storage()
    if (store !== undefined) keepDraft(store, runId, pause.pauseId, kind, next)
  }
  const send = () => {
    if (!reading.ok || sent) return
    performance.mark(`gm:resume-sent:${pause.pauseId}`)
    if (kind === 'inject') actions.resume(pause.pauseId, { action: 'inject', output: reading.value })
    else actions.resume(pause.pauseId, { action: pause.point === 'before' ? 'continue' : 'retry', input: reading.value })
  }
  return (
    <div className={styles.draft}>
      <div className={styles.now}>
        {start?.base !== undefined && <Choice legend="Beside the draft" options={LOOKS} chosen={look} choose={setLook} small />}
        {look === 'changes' && start?.base !== undefined ? (
          <ComparisonView
            comparison={{
              id: 'draft',
              title: 'What changes',
              before: { title: start.base, text: start.text },
              after: { title: 'Your draft', text: compared },
            }}
            sideBySide={false}
          />
        ) : pause.error !== undefined && kind === 'inject' ? (
          <>
            <h3>Now</h3>
            <ErrorCard error={pause.error} />
            <ValueView label="Called with" value={pause.input ?? instance?.input} missing="No input was recorded." />
          </>
        ) : kind === 'inject' && pause.point === 'after' ? (
          <ValueView label="Output now" value={pause.output ?? instance?.output} missing="No output was recorded." />
        ) : (
          <ValueView label="Input now" value={pause.input ?? instance?.input} missing="No input was recorded." />
        )}
      </div>
      <section className={styles.editor} aria-label={label}>
        <div className={styles.editorHead}>
          <h3>{label}</h3>
          <span>{help}</span>
          <IconButton label="Close the editor, keep the draft" keyHint="Esc" onClick={() => workbench.setState({ editor: undefined })}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
        {fields !== undefined && (
          <p className={styles.fields} title={fields}>
            Takes <code>{fields}</code>
          </p>
        )}
        <div className={styles.code} data-invalid={!reading.ok}>
          <Suspense fallback={<pre className={styles.codeMeanwhile}>{text.slice(0, 4000)}</pre>}>
            <JsonEditor text={text} label={label} expected={expected} onChange={change} onSend={send} />
          </Suspense>
        </div>
        <div className={styles.editorFoot}>
          <p className={styles.reading} role="status">
            {refusal !== undefined && !sent ? (
              <span className={styles.refusal}>Refused: {refusal} Your draft is kept.</span>
            ) : reading.ok ? (
              (start?.source ?? '')
            ) : (
              <span className={styles.refusal}>{reading.problem}</span>
            )}
          </p>
          {!reading.ok && reading.wrappable && <Button onClick={() => change(wrapAsText(text))}>Make it JSON text</Button>}
          {start !== undefined && text !== start.text && (
            <Button look="quiet" onClick={() => change(start.text)}>
              Start over
            </Button>
          )}
          <Button
            look="primary"
            keyHint={shownKey('Mod+Enter')}
            aria-disabled={!reading.ok || sent}
            title={reading.ok ? 'Send it to the agent' : reading.problem}
            onClick={send}
          >
            {command === 'taken' ? 'Taken…' : sent ? 'Sent…' : 'Send'}
          </Button>
        </div>
      </section>
    </div>
  )
}

/** What the editor can tell of the value to write: what the run says that the tool takes, over the input that stays where nothing is written. */
function expectedOf(kind: DraftKind, pause: PausePicture, picture: RunPicture): Expected | undefined {
  const schema = kind === 'edit' ? toolDefinition(pause, picture)?.input : undefined
  if (schema === undefined) return undefined
  const input = pause.input ?? (pause.instanceId === undefined ? undefined : picture.instances.get(pause.instanceId)?.input)
  return { shape: readShape(schema), kept: isObject(input) ? Object.keys(input) : [] }
}

function loadStored(runId: string, pauseId: string, kind: DraftKind): string | undefined {
  const store = storage()
  return store === undefined ? undefined : loadDraft(store, runId, pauseId, kind)
}

function keepDraft(store: Storage, runId: string, pauseId: string, kind: DraftKind, text: string): void {
  try {
    saveDraft(store, runId, pauseId, kind, text, Date.now())
  } catch (error) {
    // A full storage costs only the survival of a reload.
    console.info('The draft could not be kept for a reload:', error)
  }
}
