import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { ViewerActions } from '../link/viewer-link.ts'
import type { ViewerState } from '../link/viewer-state.ts'
import type { Workbench, WorkbenchStore } from './workbench.ts'

/** What every panel is given: the facts, the ways to ask for something, and what is open on this screen. */
export interface Viewer {
  readonly store: StoreApi<ViewerState>
  readonly actions: ViewerActions
  readonly workbench: WorkbenchStore
  /** Only in a page that is a recording: nothing is connected to it. Epoch ms. */
  readonly recorded?: { readonly writtenAt: number }
}

const ViewerContext = createContext<Viewer | undefined>(undefined)

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>
}

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext)
  if (viewer === undefined) throw new Error('A panel stands outside ViewerProvider.')
  return viewer
}

/** Reads a part of the facts; the component draws again only when that part changes. */
export function useFacts<Part>(select: (state: ViewerState) => Part): Part {
  return useStore(useViewer().store, select)
}

export function useWorkbench<Part>(select: (state: Workbench) => Part): Part {
  return useStore(useViewer().workbench, select)
}
