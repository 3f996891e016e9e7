import { lazy, Suspense, useEffect } from 'react'
import { Route, Switch, useLocation, useSearch } from 'wouter'
import styles from './app.module.css'
import { heldNow } from './model/pauses.ts'
import { BreakpointsPage } from './panels/breakpoints/breakpoints-page.tsx'
import { MuteBanner } from './panels/breakpoints/breakpoints-panel.tsx'
import { HelpSheet } from './panels/help/help-sheet.tsx'
import { FileDrop } from './panels/import/file-drop.tsx'
import { ImportList } from './panels/import/import-list.tsx'
import { LinkBanner } from './panels/link-banner/link-banner.tsx'
import { StoreBanner } from './panels/link-banner/store-banner.tsx'
import { Palette } from './panels/palette/palette.tsx'
import { SkipToHeld } from './panels/pause-bar/skip-to-held.tsx'
import { RunsPage } from './panels/runs/runs-page.tsx'
import { Announcer } from './panels/signals/announcer.tsx'
import { usePauseSignals } from './panels/signals/pause-signals.ts'
import { Toast } from './panels/toast/toast.tsx'
import { TopBar } from './panels/top-bar/top-bar.tsx'
import { WorkbenchPage } from './panels/workbench/workbench-page.tsx'
import { RecordedBanner } from './recorded/recorded-banner.tsx'
import { useKeys } from './ui/use-keys.ts'
import { useFacts, useViewer, type Viewer, ViewerProvider } from './ui/viewer-context.tsx'

const ComparePage = lazy(() => import('./panels/compare/compare-page.tsx'))
const SettingsPage = lazy(() => import('./panels/settings/settings-page.tsx'))

/** The whole page. */
export function App({ viewer }: { viewer: Viewer }) {
  return (
    <ViewerProvider viewer={viewer}>
      <Shell />
    </ViewerProvider>
  )
}

function Shell() {
  const viewer = useViewer()
  const [path, navigate] = useLocation()
  const query = useSearch()
  useKeys({ ...viewer, address: { path, query }, navigate })
  useTitle(path)
  usePauseSignals()
  return (
    <div className={styles.shell}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      {viewer.recorded === undefined && <SkipToHeld />}
      <TopBar />
      {viewer.recorded !== undefined && <RecordedBanner writtenAt={viewer.recorded.writtenAt} />}
      <LinkBanner />
      {viewer.recorded === undefined && <StoreBanner />}
      <MuteBanner />
      <Suspense>
        <Switch>
          <Route path="/">
            <RunsPage />
          </Route>
          <Route path="/welcome">
            <RunsPage key="welcome" isWelcome />
          </Route>
          <Route path="/breakpoints" component={BreakpointsPage} />
          <Route path="/settings" component={SettingsPage} />
          <Route path="/compare/:left/:right" component={ComparePage} />
          <Route path="/run/:runId">{({ runId }) => <WorkbenchPage key={runId} runId={decodeURIComponent(runId)} />}</Route>
          <Route>
            <main id="main" className={styles.notFound}>
              <h1>There is no page here</h1>
              <p>
                The address <code>{path}</code> leads nowhere. <a href="/">Go to the runs</a>.
              </p>
            </main>
          </Route>
        </Switch>
      </Suspense>
      <Announcer />
      <HelpSheet />
      <Palette />
      <Toast />
      <ImportList />
      <FileDrop />
    </div>
  )
}

const PAGE_TITLES: Readonly<Record<string, string>> = {
  breakpoints: 'Breakpoints',
  settings: 'Settings',
  compare: 'Comparison',
  welcome: 'Welcome',
}

/** The tab's title says what waits, also while the tab is in the background. */
function useTitle(path: string): void {
  const held = useFacts(({ run, runs }) => {
    const [first] = path.startsWith('/run/') ? heldNow(run) : []
    if (first !== undefined) return `⏸ ${first.name ?? first.nodeId}`
    const waiting = [...(runs?.values() ?? [])].filter((info) => info.held > 0).length
    return waiting === 0 ? '' : `⏸ ${waiting} waiting`
  })
  const name = useFacts(({ run, runs }) => (run === undefined ? undefined : (run.picture.name ?? runs?.get(run.runId)?.name)))
  useEffect(() => {
    const page = path.startsWith('/run/') ? name : (PAGE_TITLES[path.split('/')[1] ?? ''] ?? 'Runs')
    document.title = [held, page, 'GraphMind'].filter(Boolean).join(' · ')
  }, [held, name, path])
}
