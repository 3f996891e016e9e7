import type { RunInfo } from '@graphmind-ai/schema'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useId, useRef } from 'react'
import { markRuns } from '../../commands/runs.ts'
import { plural } from '../../model/format.ts'
import { readTags } from '../../model/tags.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import dialog from '../../ui/dialog.module.css'
import { useViewer } from '../../ui/viewer-context.tsx'
import styles from './runs.module.css'

interface MarksDialogProps {
  /** At least one. */
  readonly runs: readonly RunInfo[]
  /** Tags that other runs have. */
  readonly known: readonly string[]
  readonly close: () => void
}

/** Tags and note of one run; of several, tags that all of them get. */
export function MarksDialog({ runs, known, close }: MarksDialogProps) {
  const viewer = useViewer()
  const id = useId()
  const tags = useRef<HTMLInputElement>(null)
  const note = useRef<HTMLTextAreaElement>(null)
  const [first] = runs
  const one = runs.length === 1 ? first : undefined
  const title = one === undefined ? `Tag ${plural(runs.length, 'run')}` : `Tags and note of ${one.name}`
  const save = () => {
    const written = readTags(tags.current?.value ?? '')
    const text = note.current?.value.trim() ?? ''
    close()
    void markRuns(
      viewer,
      runs,
      (run) => (one === undefined ? { tags: [...new Set([...run.tags, ...written])] } : { tags: written, note: text === '' ? null : text }),
      (done) => (one === undefined ? `Tagged ${plural(done.length, 'run')}.` : 'Kept.'),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || (event.target === note.current && !event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    save()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => open || close()}>
      <Dialog.Portal>
        <Dialog.Overlay className={dialog.overlay} />
        <Dialog.Content className={cx(dialog.dialog, styles.dialog)} aria-describedby={undefined} onKeyDown={onKeyDown}>
          <Dialog.Title>{title}</Dialog.Title>
          <label htmlFor={`${id}-tags`}>Tags, parted by commas</label>
          <input
            ref={tags}
            className={styles.written}
            id={`${id}-tags`}
            list={`${id}-known`}
            defaultValue={one?.tags.join(', ') ?? ''}
            autoComplete="off"
          />
          <datalist id={`${id}-known`}>
            {known.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          {one !== undefined && (
            <>
              <label htmlFor={`${id}-note`}>Note</label>
              <textarea ref={note} className={styles.written} id={`${id}-note`} rows={4} maxLength={4000} defaultValue={one.note ?? ''} />
            </>
          )}
          <div className={cx(dialog.buttons, styles.dialogButtons)}>
            <Dialog.Close asChild>
              <Button>Cancel</Button>
            </Dialog.Close>
            <Button look="primary" onClick={save}>
              Save
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
