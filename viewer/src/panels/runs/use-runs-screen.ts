import { type RefObject, useEffect, useRef } from 'react'
import { useViewer } from '../../ui/viewer-context.tsx'
import type { RowStep, RunRows, RunsScreen } from '../../ui/workbench.ts'

interface ScreenParts {
  readonly field: RefObject<HTMLInputElement | null>
  readonly move: (step: RowStep) => void
  readonly open: () => void
  readonly runs: RunRows | undefined
}

/** Lets the commands reach the rows of this screen, as long as it is shown. */
export function useRunsScreen(parts: ScreenParts): void {
  const { workbench } = useViewer()
  const latest = useRef(parts)
  latest.current = parts
  const hasRuns = parts.runs !== undefined
  useEffect(() => {
    const screen: RunsScreen = {
      find: () => latest.current.field.current?.focus(),
      active: () => isForRows(document.activeElement),
      move: (step) => latest.current.move(step),
      open: () => latest.current.open(),
      runs: hasRuns
        ? {
            chosen: () => latest.current.runs?.chosen() ?? [],
            toggle: () => latest.current.runs?.toggle(),
            selectAll: () => latest.current.runs?.selectAll(),
            selectNone: () => latest.current.runs?.selectNone(),
            edit: (what) => latest.current.runs?.edit(what),
          }
        : undefined,
    }
    workbench.setState({ runsScreen: screen })
    return () => {
      if (workbench.getState().runsScreen === screen) workbench.setState({ runsScreen: undefined })
    }
  }, [workbench, hasRuns])
}

/** A row, or nothing in particular: then arrows and Enter are not for a button or a field. */
function isForRows(element: Element | null): boolean {
  return element === null || element === document.body || element.id === 'main' || element.matches('[data-row]')
}

/** Walks the rows of a list that is in the page as a whole. */
export function walkLinks(list: HTMLElement | null, step: RowStep): void {
  const links = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const at = links.findIndex((link) => link.matches(':focus'))
  const last = links.length - 1
  const to = { next: Math.min(last, at + 1), previous: Math.max(0, at - 1), first: 0, last }[step]
  links[to]?.focus()
}

/** Opens the row that has the focus. */
export function openFocused(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.matches('[data-row]')) activeElement.click()
}
