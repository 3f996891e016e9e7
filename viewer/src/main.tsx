import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from './app.tsx'
import { fetchApi, forgetToken } from './link/token.ts'
import { createViewerLink } from './link/viewer-link.ts'
import { TokenNeeded } from './panels/first-run/token-needed.tsx'
import './ui/tokens.css'
import './ui/base.css'
import { keepOverReload } from './ui/kept-over-reload.ts'
import { keepOpened } from './ui/opened.ts'
import { createPageAddress } from './ui/page-address.ts'
import { storageOfTab } from './ui/remembered.ts'
import { createWorkbench } from './ui/workbench.ts'

const link = createViewerLink(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/ui`)
for (const event of ['keydown', 'pointerdown', 'wheel'] as const)
  window.addEventListener(event, link.userActed, { passive: true, capture: true })
document.addEventListener('visibilitychange', link.visibilityChanged)

const address = createPageAddress(window)
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root.')
const screen = createRoot(root)
const workbench = createWorkbench()
keepOverReload(workbench, storageOfTab())
keepOpened(workbench, storageOfTab())
screen.render(
  <StrictMode>
    <Router hook={address.hook} searchHook={address.searchHook}>
      <App viewer={{ store: link.store, actions: link.actions, workbench }} />
    </Router>
  </StrictMode>,
)

// A refused WebSocket does not tell why it was refused; this answer does. A server that is not there yet is the link's business.
void askForSession().then(
  ({ status }) => status === 401 && screen.render(<TokenNeeded />),
  () => undefined,
)

/** A token of the server that was here before may be one too many for this one. */
async function askForSession(): Promise<Response> {
  const answer = await fetchApi('/api/session')
  if (answer.status !== 401 || !forgetToken(window)) return answer
  link.actions.retryNow()
  return fetchApi('/api/session')
}
