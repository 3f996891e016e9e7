import { createStore, type StoreApi } from 'zustand/vanilla'
import { RUN_VIEWS, type RunView } from '../model/address.ts'
import type { DraftKind } from '../model/draft.ts'
import { forget, recall, remember } from './remembered.ts'

export type Theme = 'light' | 'dark' | 'system'
export type GraphDirection = 'right' | 'down'

/** What the graph can be asked to do by key. */
export interface GraphView {
  fit(): void
  frameSelection(): void
  zoomIn(): void
  zoomOut(): void
}

/** What the timeline can be asked to do by key. */
export interface TimelineView extends GraphView {
  /** Moves the shown stretch by a part of its length. */
  pan(part: number): void
  find(): void
  /** Whether the reader is at work in it, so that keys which both have go there. */
  active(): boolean
}

/** What is open and shown on this screen; belongs to the viewer alone and not to the run. */
export interface Workbench {
  /** The waiter the pause bar shows; undefined means the one that waits longest. */
  readonly waiterId: string | undefined
  readonly editor: { readonly pauseId: string; readonly kind: DraftKind } | undefined
  readonly confirmAbort: string | undefined
  readonly help: boolean
  readonly outline: boolean
  readonly inspector: boolean
  readonly theme: Theme
  readonly direction: GraphDirection
  /** Step mode was switched on by pressing Step, so Continue switches it off again. */
  readonly stepping: boolean
  readonly graph: GraphView | undefined
  readonly timeline: TimelineView | undefined
  readonly palette: boolean
  /** Only what failed, and its callers, stand out in the graph. */
  readonly errorPath: boolean
  readonly graphAsList: boolean
  /** Instances that the breakpoint in the editor would have matched. */
  readonly lit: ReadonlySet<string> | undefined
  readonly announcement: string
}

export type WorkbenchStore = StoreApi<Workbench>

export function createWorkbench(): WorkbenchStore {
  return createStore<Workbench>(() => ({
    waiterId: undefined,
    editor: undefined,
    confirmAbort: undefined,
    help: false,
    outline: recall('outline', (stored) => stored !== 'off', true),
    inspector: recall('inspector', (stored) => stored !== 'off', true),
    theme: recall('theme', (stored) => (stored === 'light' || stored === 'dark' ? stored : undefined), 'system'),
    direction: recall('direction', (stored) => (stored === 'down' ? 'down' : undefined), 'right'),
    stepping: false,
    graph: undefined,
    timeline: undefined,
    palette: false,
    errorPath: false,
    graphAsList: false,
    lit: undefined,
    announcement: '',
  }))
}

/** The part of the run that was last looked at: graph, timeline or both. */
export function recallView(): RunView {
  return recall('view', (stored) => RUN_VIEWS.find((known) => known === stored), 'graph')
}

export function rememberView(view: RunView): void {
  remember('view', view)
}

export function togglePanel(workbench: WorkbenchStore, panel: 'outline' | 'inspector'): void {
  const shown = !workbench.getState()[panel]
  remember(panel, shown ? 'on' : 'off')
  workbench.setState({ [panel]: shown })
}

export function setDirection(workbench: WorkbenchStore, direction: GraphDirection): void {
  remember('direction', direction)
  workbench.setState({ direction })
}

/** Switches to the other theme than the one on the screen; switching back to the system's own forgets the choice. */
export function toggleTheme(workbench: WorkbenchStore): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const shown = workbench.getState().theme === 'system' ? system : workbench.getState().theme
  const other = shown === 'dark' ? 'light' : 'dark'
  const theme: Theme = other === system ? 'system' : other
  if (theme === 'system') {
    forget('theme')
    delete document.documentElement.dataset['theme']
  } else {
    remember('theme', theme)
    document.documentElement.dataset['theme'] = theme
  }
  workbench.setState({ theme })
}
