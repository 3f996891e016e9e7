import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createViewerLink } from './link/viewer-link.ts'
import './ui/tokens.css'
import './ui/base.css'
import { createWorkbench } from './ui/workbench.ts'

const link = createViewerLink(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/ui`)
for (const event of ['keydown', 'pointerdown', 'wheel'] as const)
  window.addEventListener(event, link.userActed, { passive: true, capture: true })
document.addEventListener('visibilitychange', link.visibilityChanged)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root.')
createRoot(root).render(
  <StrictMode>
    <App viewer={{ store: link.store, actions: link.actions, workbench: createWorkbench() }} />
  </StrictMode>,
)
