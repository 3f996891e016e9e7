import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { type Mock, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { createStore } from 'zustand/vanilla'
import type { ViewerActions } from '../link/viewer-link.ts'
import { INITIAL_STATE, type OpenRun, type ViewerState } from '../link/viewer-state.ts'
import { type Viewer, ViewerProvider } from '../ui/viewer-context.tsx'
import { createWorkbench } from '../ui/workbench.ts'
import { type PicturedRun, RUN_ID } from './run-from-text.ts'
import { runInfo } from './run-info.ts'

/** The run as the link would show it after its replay. */
export function openRun({ picture, envelopes }: PicturedRun, change: Partial<OpenRun> = {}): OpenRun {
  return {
    runId: picture.runId,
    picture,
    commit: 1,
    structure: 1,
    phase: 'ready',
    toldUntil: undefined,
    fresh: [],
    log: new Map(),
    notices: [],
    problem: undefined,
    asOf: undefined,
    events: envelopes,
    ...change,
  }
}

type FakeActions = { readonly [Name in keyof ViewerActions]: Mock<ViewerActions[Name]> }

/** A viewer with these facts, whose actions only remember that they were asked for. */
export function fakeViewer(run: PicturedRun, state: Partial<ViewerState> = {}): Viewer & { readonly actions: FakeActions } {
  const actions = {
    openRun: vi.fn(),
    replayTo: vi.fn(),
    setBreakpoint: vi.fn(),
    clearBreakpoint: vi.fn(),
    setMode: vi.fn(),
    resume: vi.fn(),
    dismissNotice: vi.fn(),
    dismissProblem: vi.fn(),
    retryNow: vi.fn(),
  }
  const store = createStore<ViewerState>(() => ({
    ...INITIAL_STATE,
    link: { phase: 'live' },
    welcomed: true,
    runs: new Map([[RUN_ID, runInfo()]]),
    run: openRun(run),
    ...state,
  }))
  return { store, actions, workbench: createWorkbench() }
}

/** Draws a panel at the address of the pictured run, with what the address says of the selection. */
export function renderPanel(panel: ReactElement, viewer: Viewer, query = '') {
  const location = memoryLocation({ path: `/run/${RUN_ID}`, searchPath: query, record: true })
  const drawn = render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <ViewerProvider viewer={viewer}>{panel}</ViewerProvider>
    </Router>,
  )
  return { ...drawn, history: location.history }
}
