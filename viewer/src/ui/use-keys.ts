import { useEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { COMMANDS, type CommandContext } from '../commands.ts'

const SEQUENCE_MS = 1000

/** Runs commands by key. While a person types, only Escape is heard; inside a dialog, nothing is. */
export function useKeys(context: CommandContext): void {
  const latest = useRef(context)
  latest.current = context
  useEffect(() => {
    // After a G the next key belongs to the sequence (G then R), so plain R must not retry a held call.
    let last: { key: string; at: number } | undefined
    let inSequence = false
    const watch = (event: KeyboardEvent) => {
      inSequence = last?.key === 'g' && event.timeStamp - last.at < SEQUENCE_MS
      last = isTyping(event.target) ? undefined : { key: event.key, at: event.timeStamp }
    }
    window.addEventListener('keydown', watch, { capture: true })
    const bindings: Record<string, (event: KeyboardEvent) => void> = {}
    for (const command of COMMANDS) {
      for (const key of command.keys) {
        bindings[key] = (event) => {
          if (event.defaultPrevented || (isTyping(event.target) && event.key !== 'Escape') || isInDialog(event.target)) return
          if (inSequence && !key.includes(' ')) return
          if (command.unavailable(latest.current) !== undefined) return
          event.preventDefault()
          command.run(latest.current)
        }
      }
    }
    const unbind = tinykeys(window, bindings, { ignore: () => false, timeout: SEQUENCE_MS })
    return () => {
      unbind()
      window.removeEventListener('keydown', watch, { capture: true })
    }
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null
}
