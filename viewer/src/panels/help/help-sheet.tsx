import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { COMMAND_GROUPS, type CommandGroup } from '../../commands/command.ts'
import { COMMANDS } from '../../commands.ts'
import { DEFAULT_KEYS } from '../../model/key-settings.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import dialog from '../../ui/dialog.module.css'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { setKeys } from '../../ui/workbench.ts'
import styles from './help-sheet.module.css'
import { KeyOfCommand } from './key-of-command.tsx'
import { SignalSettings } from './signal-settings.tsx'

/** These stand before the settings for held calls, all others after them. */
const FIRST: readonly CommandGroup[] = ['Held call', 'Run']
const SECOND = COMMAND_GROUPS.filter((group) => !FIRST.includes(group))

/** Every key, from the table of commands, and the way to other ones. */
export function HelpSheet() {
  const { workbench } = useViewer()
  const open = useWorkbench((state) => state.help)
  const keys = useWorkbench((state) => state.keys)
  // The command that the next key is for.
  const [changing, setChanging] = useState<string>()
  const changed = !keys.letters || Object.keys(keys.own).length > 0
  return (
    <Dialog.Root open={open} onOpenChange={(help) => workbench.setState({ help })}>
      <Dialog.Portal>
        <Dialog.Overlay className={dialog.overlay} />
        <Dialog.Content
          className={cx(dialog.dialog, styles.sheet)}
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            if (changing === undefined) return
            event.preventDefault()
            setChanging(undefined)
          }}
        >
          <div className={styles.head}>
            <Dialog.Title>All keys</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label="Close" keyHint="Esc">
                <X size={15} aria-hidden="true" />
              </IconButton>
            </Dialog.Close>
          </div>
          <div className={styles.settings}>
            <label>
              <input
                type="checkbox"
                checked={keys.letters}
                onChange={({ target }) => setKeys(workbench, { ...keys, letters: target.checked })}
              />
              Letters and signs are keys
            </label>
            {changed && <Button onClick={() => setKeys(workbench, DEFAULT_KEYS)}>All as they were</Button>}
          </div>
          <div className={styles.groups}>
            {FIRST.map((group) => (
              <Group key={group} group={group} changing={changing} change={setChanging} />
            ))}
            <SignalSettings />
            {SECOND.map((group) => (
              <Group key={group} group={group} changing={changing} change={setChanging} />
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
          <p className={styles.foot}>Letters do nothing while you type. Press a key’s button to give its command another one.</p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface GroupProps {
  readonly group: CommandGroup
  readonly changing: string | undefined
  readonly change: (id: string | undefined) => void
}

function Group({ group, changing, change }: GroupProps) {
  return (
    <section>
      <h3>{group}</h3>
      <dl>
        {COMMANDS.filter((command) => command.group === group).map((command) => (
          <div key={command.id} className={styles.line}>
            <dt>{command.title}</dt>
            <dd>
              <KeyOfCommand command={command} changing={changing === command.id} change={change} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
