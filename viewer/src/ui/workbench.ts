import type { BreakpointMatcher, RunInfo, RunPicture } from '@graphmind-ai/schema'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { RUN_VIEWS, type RunView } from '../model/address.ts'
import type { BreakpointDraft } from '../model/breakpoint-draft.ts'
import { hasManyCallers } from '../model/call-path.ts'
import type { DraftKind } from '../model/draft.ts'
import { type GraphLook, lookWords, readLook } from '../model/graph-look.ts'
import { DEFAULT_KEYS, type KeySettings, readKeySettings } from '../model/key-settings.ts'
import { DENSITIES, type Density } from './density.ts'
import type { FileImport } from './imports.ts'
import { forget, recall, remember } from './remembered.ts'

export type Theme = 'light' | 'dark' | 'system'

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

export type RowStep = 'next' | 'previous' | 'first' | 'last'

/** What the runs screen can be asked to do by key. */
export interface RunsScreen {
  find(): void
  /** Whether no other field or button has the keyboard, so that arrows, Enter and Space are for the rows. */
  active(): boolean
  move(step: RowStep): void
  open(): void
  /** Undefined where the rows are no runs. */
  readonly runs: RunRows | undefined
}

/** The runs of the list, and what can be done with them. */
export interface RunRows {
  /** What commands are for: the selected ones, else the one with the focus. */
  chosen(): readonly RunInfo[]
  toggle(): void
  selectAll(): void
  selectNone(): void
  edit(what: RunEdit): void
}

export type RunEdit = 'name' | 'marks'

/** A short word about what was just done. */
export interface Toast {
  readonly text: string
  readonly isProblem: boolean
  readonly undoable: boolean
}

/** What is open and shown on this screen; belongs to the viewer alone and not to the run. */
export interface Workbench {
  /** The waiter the pause bar shows; undefined means the one that waits longest. */
  readonly waiterId: string | undefined
  readonly editor: { readonly pauseId: string; readonly kind: DraftKind } | undefined
  readonly confirmAbort: string | undefined
  /** The breakpoint that is being written, and the one it changes; kept here, as its panel is drawn anew where a window gets narrow. */
  readonly breakpointEditor: { readonly matcher: BreakpointMatcher | undefined; readonly draft: BreakpointDraft } | undefined
  readonly help: boolean
  readonly outline: boolean
  readonly inspector: boolean
  readonly theme: Theme
  /** Step mode was switched on by pressing Step, so Continue switches it off again. */
  readonly stepping: boolean
  readonly graph: GraphView | undefined
  readonly timeline: TimelineView | undefined
  readonly runsScreen: RunsScreen | undefined
  readonly toast: Toast | undefined
  /** The runs that were deleted last, while they can be brought back. */
  readonly deleted: readonly RunInfo[]
  /** Whether the palette is open; with a run, for choosing the one to compare it with. */
  readonly palette: boolean | { readonly compareWith: string }
  readonly prose: ProseLook
  /** Whether long lines of JSON go on in the next one. */
  readonly wrap: boolean
  /** What a person opened (true) or closed, by kind of call and part. */
  readonly opened: ReadonlyMap<string, boolean>
  readonly density: Density
  readonly motion: Motion
  /** Whether costs are estimated where none was reported. */
  readonly estimates: boolean
  /** Whether screen readers are told how many steps began. */
  readonly stepNews: boolean
  readonly keys: KeySettings
  readonly signals: PauseSignals
  /** Instances that the breakpoint in the editor would have matched. */
  readonly lit: ReadonlySet<string> | undefined
  readonly announcement: string
  /** Files that were given to this page, as long as their list is open. */
  readonly imports: readonly FileImport[]
}

/** What else tells of a held call. */
export interface PauseSignals {
  readonly sound: boolean
  /** The system's own notification, while the page is out of sight. */
  readonly notification: boolean
}

/** Whether things move as the system says, or not at all. */
export type Motion = 'system' | 'reduced'

/** How texts are shown. */
export type ProseLook = 'text' | 'markdown'

export type WorkbenchStore = StoreApi<Workbench>

export function createWorkbench(): WorkbenchStore {
  return createStore<Workbench>(() => ({
    waiterId: undefined,
    editor: undefined,
    confirmAbort: undefined,
    breakpointEditor: undefined,
    help: false,
    outline: recall('outline', (stored) => stored !== 'off', true),
    inspector: recall('inspector', (stored) => stored !== 'off', true),
    theme: recall('theme', (stored) => (stored === 'light' || stored === 'dark' ? stored : undefined), 'system'),
    stepping: false,
    graph: undefined,
    timeline: undefined,
    runsScreen: undefined,
    toast: undefined,
    deleted: [],
    palette: false,
    keys: recall('keys', readKeySettings, DEFAULT_KEYS),
    signals: recall('signals', (stored) => ({ sound: stored.includes('sound'), notification: stored.includes('notification') }), {
      sound: false,
      notification: false,
    }),
    prose: recall('prose', (stored) => (stored === 'markdown' ? stored : undefined), 'text'),
    wrap: recall('wrap', (stored) => stored !== 'off', true),
    opened: new Map(),
    density: recall('density', (stored) => DENSITIES.find((known) => known === stored), 'comfortable'),
    motion: recall('motion', (stored) => (stored === 'reduced' ? stored : undefined), 'system'),
    estimates: recall('estimates', (stored) => stored !== 'off', true),
    stepNews: recall('step-news', (stored) => stored !== 'off', true),
    lit: undefined,
    announcement: '',
    imports: [],
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

/** How the graph is shown when the address doesn't say. */
function recallLook(): Partial<GraphLook> {
  return recall('look', readLook, {})
}

/** How the graph of this run is shown: as the address says, else as remembered, else as suits it; which direction does, its canvas knows. */
export function shownLook(
  look: Partial<GraphLook>,
  picture: RunPicture | undefined,
): Omit<GraphLook, 'direction'> & { readonly direction: GraphLook['direction'] | undefined } {
  const { direction, paths, ...rest } = { ...recallLook(), ...look }
  return {
    order: false,
    reached: false,
    errors: false,
    list: false,
    ...rest,
    direction,
    paths: paths ?? (picture !== undefined && hasManyCallers(picture)),
  }
}

/** Direction and call paths are taste, so they are remembered; what one looks for in one run is not. */
export function rememberLook({ direction, paths }: Partial<GraphLook>): void {
  const look = { ...recallLook(), ...(direction === undefined ? {} : { direction }), ...(paths === undefined ? {} : { paths }) }
  remember('look', lookWords(look) ?? '')
}

export function setProse(workbench: WorkbenchStore, prose: ProseLook): void {
  remember('prose', prose)
  workbench.setState({ prose })
}

export function setWrap(workbench: WorkbenchStore, wrap: boolean): void {
  remember('wrap', wrap ? 'on' : 'off')
  workbench.setState({ wrap })
}

export function setKeys(workbench: WorkbenchStore, keys: KeySettings): void {
  remember('keys', JSON.stringify(keys))
  workbench.setState({ keys })
}

export function setSignals(workbench: WorkbenchStore, change: Partial<PauseSignals>): void {
  const signals = { ...workbench.getState().signals, ...change }
  remember('signals', [signals.sound && 'sound', signals.notification && 'notification'].filter(Boolean).join(' '))
  workbench.setState({ signals })
}

/** Switches to the other theme than the one on the screen; switching back to the system's own forgets the choice. */
export function toggleTheme(workbench: WorkbenchStore): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const shown = workbench.getState().theme === 'system' ? system : workbench.getState().theme
  const other = shown === 'dark' ? 'light' : 'dark'
  setTheme(workbench, other === system ? 'system' : other)
}

export function setTheme(workbench: WorkbenchStore, theme: Theme): void {
  keepOnPage('theme', theme, 'system')
  workbench.setState({ theme })
}

export function setDensity(workbench: WorkbenchStore, density: Density): void {
  keepOnPage('density', density, 'comfortable')
  workbench.setState({ density })
}

export function setMotion(workbench: WorkbenchStore, motion: Motion): void {
  keepOnPage('motion', motion, 'system')
  workbench.setState({ motion })
}

export function setEstimates(workbench: WorkbenchStore, estimates: boolean): void {
  remember('estimates', estimates ? 'on' : 'off')
  workbench.setState({ estimates })
}

export function setStepNews(workbench: WorkbenchStore, stepNews: boolean): void {
  remember('step-news', stepNews ? 'on' : 'off')
  workbench.setState({ stepNews })
}

/** Remembers a choice and marks the page with it for the styles; theme.js does the latter when the page is loaded. */
function keepOnPage(key: 'theme' | 'density' | 'motion', value: string, usual: string): void {
  if (value === usual) {
    forget(key)
    delete document.documentElement.dataset[key]
  } else {
    remember(key, value)
    document.documentElement.dataset[key] = value
  }
}
