import { createContext, useCallback, useContext, useState } from 'react'
import { keep } from './remembered.ts'
import { useViewer } from './viewer-context.tsx'
import type { WorkbenchStore } from './workbench.ts'

const KEY = 'gm:opened'
/** How many choices are kept; the oldest are forgotten. */
const MOST_KEPT = 200

/** The kind of what is looked at: what was opened of a model call says nothing of a tool's. */
export const OpenedKind = createContext('run')

/**
 * Whether a person opened or closed a part of this name the last time, undefined when nobody did; and how to note it. A part that is on
 * the screen stays as it is when another one of its name is opened.
 */
export function useOpened(part: string): readonly [boolean | undefined, (isOpen: boolean) => void] {
  const { get, set } = useOpenedParts()
  const [chosen, setChosen] = useState(() => get(part))
  const choose = useCallback(
    (isOpen: boolean) => {
      setChosen(isOpen)
      set(part, isOpen)
    },
    [part, set],
  )
  return [chosen, choose]
}

interface OpenedParts {
  readonly get: (part: string) => boolean | undefined
  readonly set: (part: string, isOpen: boolean) => void
  /** What was closed of the parts whose names begin so, without that beginning. */
  readonly closed: (beginning: string) => readonly string[]
}

/** The same for parts whose names only show while one looks. */
export function useOpenedParts(): OpenedParts {
  const { workbench } = useViewer()
  const kind = useContext(OpenedKind)
  return {
    get: useCallback((part: string) => workbench.getState().opened.get(`${kind} ${part}`), [workbench, kind]),
    set: useCallback((part: string, isOpen: boolean) => note(workbench, `${kind} ${part}`, isOpen), [workbench, kind]),
    closed: useCallback(
      (beginning: string) => {
        const start = `${kind} ${beginning}`
        return [...workbench.getState().opened].flatMap(([key, isOpen]) =>
          isOpen || !key.startsWith(start) ? [] : key.slice(start.length),
        )
      },
      [workbench, kind],
    ),
  }
}

function note(workbench: WorkbenchStore, key: string, isOpen: boolean): void {
  workbench.setState(({ opened }) => ({ opened: withChoice(opened, key, isOpen) }))
}

/** The choices with this one as the newest, and the oldest left out where there are too many. */
export function withChoice(opened: ReadonlyMap<string, boolean>, key: string, isOpen: boolean): ReadonlyMap<string, boolean> {
  const others = [...opened].filter(([other]) => other !== key)
  return new Map([...others.slice(1 - MOST_KEPT), [key, isOpen]])
}

/** Keeps what was opened over a reload of the page: in this tab alone, as the editor of a held call. */
export function keepOpened(workbench: WorkbenchStore, tab: Storage | undefined): void {
  if (tab === undefined) return
  workbench.setState({ opened: readOpened(tab.getItem(KEY)) })
  workbench.subscribe(({ opened }, before) => {
    if (opened !== before.opened) keep(tab, KEY, JSON.stringify([...opened]))
  })
}

function readOpened(stored: string | null): ReadonlyMap<string, boolean> {
  const opened = new Map<string, boolean>()
  for (const entry of parsedList(stored)) {
    const [key, isOpen] = Array.isArray(entry) ? (entry as readonly unknown[]) : []
    if (typeof key === 'string' && typeof isOpen === 'boolean') opened.set(key, isOpen)
  }
  return opened
}

function parsedList(stored: string | null): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(parsed) ? parsed.slice(-MOST_KEPT) : []
  } catch {
    // Another version's, or cut off: nothing is open, as at first.
    return []
  }
}
