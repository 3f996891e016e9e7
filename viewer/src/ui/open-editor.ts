import { keep } from './remembered.ts'
import type { Workbench, WorkbenchStore } from './workbench.ts'

const KEY = 'gm:editor'

/** Keeps an editor that is open over a reload of its page, as its draft is kept: in this tab alone, for what another one shows is its own. */
export function keepEditorOpen(workbench: WorkbenchStore, tab: Storage | undefined): void {
  if (tab === undefined) return
  const editor = readEditor(tab.getItem(KEY))
  if (editor !== undefined) workbench.setState({ editor, waiterId: editor.pauseId })
  workbench.subscribe(({ editor }, before) => {
    if (editor === before.editor) return
    if (editor === undefined) tab.removeItem(KEY)
    else keep(tab, KEY, `${editor.kind} ${editor.pauseId}`)
  })
}

function readEditor(stored: string | null): Workbench['editor'] {
  const [kind, ...pauseId] = (stored ?? '').split(' ')
  return kind === 'inject' || kind === 'edit' ? { kind, pauseId: pauseId.join(' ') } : undefined
}
