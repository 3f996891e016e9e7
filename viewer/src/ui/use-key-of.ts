import { useCallback } from 'react'
import { COMMANDS } from '../commands.ts'
import { type KeySettings, keysFor, shownKey } from '../model/key-settings.ts'
import { useWorkbench } from './viewer-context.tsx'

/** The first key of a command as shown in tooltips, under the reader's settings; undefined when it has none. */
export function useKeyOf(): (id: string) => string | undefined {
  const settings = useWorkbench((state) => state.keys)
  return useCallback((id: string) => keyOf(id, settings), [settings])
}

function keyOf(id: string, settings: KeySettings): string | undefined {
  const command = COMMANDS.find((candidate) => candidate.id === id)
  const [first] = command === undefined ? [] : keysFor(command, settings)
  return first === undefined ? undefined : shownKey(first)
}
