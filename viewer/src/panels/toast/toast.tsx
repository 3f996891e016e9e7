import { X } from 'lucide-react'
import { useEffect } from 'react'
import { undoDelete } from '../../commands/runs.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useKeyOf } from '../../ui/use-key-of.ts'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import styles from './toast.module.css'

/** How long a word about what was done stays; what can be undone or went wrong stays until it is closed. */
const SHOWN_MS = 6000

/** Says what was just done, with the way back where there is one. */
export function Toast() {
  const viewer = useViewer()
  const keyOf = useKeyOf()
  const toast = useWorkbench((state) => state.toast)
  const canUndo = useWorkbench((state) => state.deleted.length > 0)
  const close = () => viewer.workbench.setState({ toast: undefined })
  const stays = toast === undefined || toast.isProblem || (toast.undoable && canUndo)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => viewer.workbench.setState({ toast: undefined }), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [stays, viewer])
  return (
    <div role="status" aria-label="What was done" className={styles.place}>
      {toast !== undefined && toast.text !== '' && (
        <div className={styles.toast} data-problem={toast.isProblem}>
          <p>{toast.text}</p>
          {toast.undoable && canUndo && (
            <Button keyHint={keyOf('runs.undo')} onClick={() => void undoDelete(viewer)}>
              Undo
            </Button>
          )}
          <IconButton label="Close" onClick={close}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  )
}
