import type { PausePicture } from '@graphmind-ai/schema'
import { AlertDialog } from 'radix-ui'
import { sendResume } from '../../commands/held-call.ts'
import { pauseName } from '../../model/pauses.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import dialog from '../../ui/dialog.module.css'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import styles from './pause-bar.module.css'

/** Abort ends a whole run, so it asks once. */
export function AbortDialog({ pause }: { pause: PausePicture }) {
  const viewer = useViewer()
  const open = useWorkbench((state) => state.confirmAbort === pause.pauseId)
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) viewer.workbench.setState({ confirmAbort: undefined })
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={dialog.overlay} />
        <AlertDialog.Content className={cx(dialog.dialog, styles.dialog)}>
          <AlertDialog.Title>Abort the run?</AlertDialog.Title>
          <AlertDialog.Description>
            {pauseName(pause)} and every later call of this run get a named abort error. This can’t be taken back.
          </AlertDialog.Description>
          <div className={cx(dialog.buttons, styles.dialogButtons)}>
            <AlertDialog.Cancel asChild>
              <Button>Keep waiting</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look="danger" onClick={() => sendResume(viewer, pause, 'abort')}>
                Abort run
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
