import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { COMMANDS, type Command } from '../../commands.ts'
import { IconButton } from '../../ui/button.tsx'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import styles from './help-sheet.module.css'

const GROUPS: readonly Command['group'][] = ['Held call', 'Run', 'View', 'Go']

/** Every key, from the table of commands. */
export function HelpSheet() {
  const { workbench } = useViewer()
  const open = useWorkbench((state) => state.help)
  return (
    <Dialog.Root open={open} onOpenChange={(help) => workbench.setState({ help })}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.sheet} aria-describedby={undefined}>
          <div className={styles.head}>
            <Dialog.Title>All keys</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close" keyHint="Esc">
                <X size={15} aria-hidden="true" />
              </IconButton>
            </Dialog.Close>
          </div>
          <div className={styles.groups}>
            {GROUPS.map((group) => (
              <section key={group}>
                <h3>{group}</h3>
                <dl>
                  {COMMANDS.filter((command) => command.group === group).map((command) => (
                    <div key={command.id} className={styles.line}>
                      <dt>{command.title}</dt>
                      <dd>
                        <kbd>{command.shown}</kbd>
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
            <section>
              <h3>Outline, timeline, graph</h3>
              <dl>
                <div className={styles.line}>
                  <dt>Walk rows, or nodes in the graph</dt>
                  <dd>
                    <kbd>↑ ↓ Home End</kbd>
                  </dd>
                </div>
                <div className={styles.line}>
                  <dt>Fold, open</dt>
                  <dd>
                    <kbd>← →</kbd>
                  </dd>
                </div>
              </dl>
            </section>
          </div>
          <p className={styles.foot}>Letters do nothing while you type.</p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
