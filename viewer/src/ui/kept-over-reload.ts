import { keep } from './remembered.ts'
import type { Workbench, WorkbenchStore } from './workbench.ts'

const EDITOR = 'gm:editor'
const STEPPING = 'gm:stepping'

/**
 * Keeps over a reload of the page what a person is in the middle of: an editor that is open, as its draft is kept, and steps that Continue
 * ends. In this tab alone, for what another one shows is its own.
 */
export function keepOverReload(workbench: WorkbenchStore, tab: Storage | undefined): void {
  if (tab === undefined) return
  const editor = readEditor(tab.getItem(EDITOR))
  if (editor !== undefined) workbench.setState({ editor, waiterId: editor.pauseId })
  workbench.setState({ stepping: tab.getItem(STEPPING) === 'on' })
  workbench.subscribe((now, before) => {
    if (now.editor !== before.editor) keepOrDrop(tab, EDITOR, now.editor && `${now.editor.kind} ${now.editor.pauseId}`)
    if (now.stepping !== before.stepping) keepOrDrop(tab, STEPPING, now.stepping ? 'on' : undefined)
  })
}

function keepOrDrop(tab: Storage, key: string, value: string | undefined): void {
  if (value === undefined) tab.removeItem(key)
  else keep(tab, key, value)
}

function readEditor(stored: string | null): Workbench['editor'] {
  const [kind, ...pauseId] = (stored ?? '').split(' ')
  return kind === 'inject' || kind === 'edit' ? { kind, pauseId: pauseId.join(' ') } : undefined
}
