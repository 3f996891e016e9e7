import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from '../app.tsx'
import { createViewerLink, type ViewerActions } from '../link/viewer-link.ts'
import { runAddress } from '../model/address.ts'
import '../ui/tokens.css'
import '../ui/base.css'
import { createWorkbench } from '../ui/workbench.ts'
import { recordedConnection } from './recorded-connection.ts'
import { recordedLocation } from './recorded-location.ts'
import { readRecordedRun } from './recorded-run.ts'

const run = readRecordedRun(document)
const link = createViewerLink('', { connect: recordedConnection(run) })
const explain = () =>
  link.store.setState({ problem: 'This page is a recording: no program is connected, so nothing can be held or released here.' })
const actions: ViewerActions = { ...link.actions, setBreakpoint: explain, clearBreakpoint: explain, setMode: explain, resume: explain }

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element #root. Write it again: graphmind record RUN --html.')
createRoot(root).render(
  <Router {...recordedLocation(runAddress(run.info.id))}>
    <App viewer={{ store: link.store, actions, workbench: createWorkbench(), recorded: { writtenAt: run.writtenAt } }} />
  </Router>,
)
