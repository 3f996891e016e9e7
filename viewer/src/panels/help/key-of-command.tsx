import { type KeyboardEvent, useState } from 'react'
import type { Command } from '../../commands/command.ts'
import { COMMANDS } from '../../commands.ts'
import { keysFor, pressOf, shownKey } from '../../model/key-settings.ts'
import { useViewer, useWorkbench } from '../../ui/viewer-context.tsx'
import { setKeys } from '../../ui/workbench.ts'
import styles from './help-sheet.module.css'

interface KeyOfCommandProps {
  readonly command: Command
  /** Whether the next key is for this command. */
  readonly changing: boolean
  readonly change: (id: string | undefined) => void
}

/** The keys of a command on a button; pressed, it takes the next key for the command. */
export function KeyOfCommand({ command, changing, change }: KeyOfCommandProps) {
  const { workbench } = useViewer()
  const settings = useWorkbench((state) => state.keys)
  const [problem, setProblem] = useState<string>()
  const shown =
    keysFor(command, settings)
      .map((key) => shownKey(key))
      .join(' or ') || 'none'
  const take = (event: KeyboardEvent) => {
    if (!changing || event.key === 'Escape' || event.key === 'Tab') return
    const press = event.key === 'Backspace' || event.key === 'Delete' ? '' : pressOf(event)
    if (press === undefined) return
    event.preventDefault()
    const holder =
      press === '' ? undefined : COMMANDS.find((other) => other !== command && keysFor(other, settings).some((key) => takes(key, press)))
    if (holder !== undefined) {
      setProblem(`${shownKey(press)} is taken by “${holder.title}”`)
      return
    }
    setKeys(workbench, { ...settings, own: { ...settings.own, [command.id]: press } })
    setProblem(undefined)
    change(undefined)
  }
  return (
    <>
      {changing && problem !== undefined && (
        <span role="alert" className={styles.taken}>
          {problem}
        </span>
      )}
      <button
        type="button"
        className={styles.key}
        data-changing={changing}
        aria-label={changing ? `Press a key for ${command.title}; Backspace for none` : `Change the key of ${command.title}, now ${shown}`}
        onClick={() => {
          setProblem(undefined)
          change(changing ? undefined : command.id)
        }}
        onKeyDown={take}
        onBlur={() => changing && change(undefined)}
      >
        {changing ? 'Press a key…' : <kbd>{shown}</kbd>}
      </button>
    </>
  )
}

/** Whether a key leaves no room for a press: it is the same, or begins with it. */
function takes(key: string, press: string): boolean {
  return key === press || key.split(' ')[0] === press
}
