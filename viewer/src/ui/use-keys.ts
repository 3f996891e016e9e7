import { useEffect, useRef } from 'react'
import type { Command, CommandContext } from '../commands/command.ts'
import { COMMANDS } from '../commands.ts'
import { keysFor } from '../model/key-settings.ts'

/** How long a G waits for the key that follows it. */
const SEQUENCE_MS = 1000
/** After this long without a key a person no longer types into what may just have gone from under their hands. */
const TYPING_PAUSE_MS = 800

/** Runs commands by key. While a person types, only Escape is heard; inside a dialog, nothing is. */
export function useKeys(context: CommandContext): void {
  const latest = useRef(context)
  latest.current = context
  useEffect(() => {
    let prefix: { readonly key: string; readonly at: number } | undefined
    let typedAt = Number.NEGATIVE_INFINITY
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isInDialog(event.target) || MODIFIERS.has(event.key)) return
      if (isTyping(event.target)) {
        if (isCharacter(event)) typedAt = event.timeStamp
        if (event.key !== 'Escape' && !isCombined(event)) return
      }
      // An editor closes when its call goes on, perhaps by another viewer: the rest of a word must not become commands.
      if (isCharacter(event) && event.timeStamp - typedAt < TYPING_PAUSE_MS) {
        typedAt = event.timeStamp
        return
      }
      const settings = latest.current.workbench.getState().keys
      const first = prefix !== undefined && event.timeStamp - prefix.at < SEQUENCE_MS ? prefix.key : undefined
      const isPrefix = first === undefined && COMMANDS.some((each) => keysFor(each, settings).some((key) => startsWith(key, event)))
      prefix = isPrefix ? { key: event.key.toLowerCase(), at: event.timeStamp } : undefined
      const command = COMMANDS.find((each) => keysFor(each, settings).some((key) => isPressed(key, first, event)))
      if (command === undefined || !mayRun(command, event) || command.unavailable(latest.current) !== undefined) return
      event.preventDefault()
      command.run(latest.current)
    }
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'])

/** A key that is held down lets one call go, not one after the other. */
function mayRun(command: Command, event: KeyboardEvent): boolean {
  return !(event.repeat && command.group === 'Held call')
}

function startsWith(keys: string, event: KeyboardEvent): boolean {
  const [first, second] = keys.split(' ')
  return second !== undefined && first !== undefined && matches(first, event)
}

/** After a first key of a sequence only the sequence counts: in G then R, R retries nothing. */
function isPressed(keys: string, first: string | undefined, event: KeyboardEvent): boolean {
  const presses = keys.split(' ')
  const last = presses.at(-1)
  if (last === undefined || !matches(last, event)) return false
  return first === undefined ? presses.length === 1 : presses.length === 2 && presses[0] === first
}

/** One press such as `c`, `F8`, `Shift+F8`, `Alt+ArrowUp`, `Mod+k` or `?`. For a sign the layout decides which modifiers it takes. */
function matches(press: string, event: KeyboardEvent): boolean {
  const key = press.replace(/^(?:(?:Shift|Alt|Mod)\+)+/, '')
  const has = (modifier: string) => press.length > key.length && press.slice(0, -key.length).includes(modifier)
  const pressed = event.key === ' ' ? 'space' : event.key.toLowerCase()
  if (isCombined(event) !== has('Mod+') || pressed !== key.toLowerCase()) return false
  if (/^[^a-z]$/i.test(key)) return true
  return event.shiftKey === has('Shift+') && event.altKey === has('Alt+')
}

/** With Ctrl, or with ⌘ on a Mac. */
function isCombined(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey
}

function isCharacter(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !event.ctrlKey && !event.metaKey
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"]') !== null
  )
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null
}
