import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { serverFacts } from '../../testing/server-facts.ts'
import SettingsPage from './settings-page.tsx'

let server: () => Response
beforeEach(() => {
  localStorage.clear()
  server = () => Response.json(serverFacts())
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/server') return server()
    if (path === '/api/session') return Response.json({ principal: 'http', hubCapabilities: ['edit-input'] })
    return Response.json({ signals: {}, waitingBytes: 2048, waitingSpans: 3 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function settings() {
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  renderPanel(<SettingsPage />, viewer)
  return viewer
}
/** What stands beside a term of the lists. */
const beside = (term: string) => screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent

it('tells where runs are kept, how much there is, for how long, and who may talk to the server', async () => {
  settings()
  await waitFor(() => expect(beside('Database')).toBe('/home/me/runs.db'))
  expect(beside('Version')).toBe('1.2.3, on Node 24.0.0')
  expect(beside('Listens on')).toBe('127.0.0.1:4747, [::1]:4747')
  expect(beside('Who may talk to it')).toBe('every program of this machine')
  expect(beside('Size')).toBe('1.5 MB of 2 GB; 3 GB free on its disk')
  expect(beside('State')).toBe('takes what comes')
  expect(beside('Kept')).toBe('the newest 200 agent runs, 100 of plain web traffic, 30 days at most, within 2 GB; pinned runs always')
  expect(beside('Not stored yet')).toBe('2 KB')
})

it('tells a token and further hosts, a store that refuses, and one that keeps everything', async () => {
  const store = { path: 'runs.db', bytes: 1, diskFreeBytes: null, problem: 'The disk is full.', warning: null }
  server = () => Response.json(serverFacts({ asksForToken: true, allowedHosts: ['my.host'], retention: null, store }))
  settings()
  await waitFor(() => expect(beside('State')).toBe('The disk is full.'))
  expect(beside('Who may talk to it')).toBe('who shows its token; also under my.host')
  expect([beside('Size'), beside('Kept')]).toEqual(['1 B', 'everything'])
})

it('says why it knows nothing of the server, and asks again', async () => {
  server = () => Response.json({ error: 'The store is locked.' }, { status: 503 })
  settings()
  expect((await screen.findByRole('alert')).textContent).toContain('The store is locked.')
  expect(beside('Database')).toBe('—')
  server = () => Response.json(serverFacts())
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(beside('Database')).toBe('/home/me/runs.db'))
})

it('keeps what is chosen over a reload', () => {
  const viewer = settings()
  fireEvent.click(screen.getByRole('radio', { name: 'Compact' }))
  fireEvent.click(screen.getByRole('radio', { name: 'None' }))
  const costs = within(screen.getByRole('region', { name: 'Cost' }))
  fireEvent.click(costs.getByRole('radio', { name: 'Off' }))
  fireEvent.click(within(screen.getByRole('region', { name: 'Screen reader' })).getByRole('radio', { name: 'Off' }))
  expect(viewer.workbench.getState()).toMatchObject({ density: 'compact', motion: 'reduced', estimates: false, stepNews: false })
  cleanup()
  settings()
  const chosen = screen.getAllByRole<HTMLInputElement>('radio', { checked: true })
  expect(chosen.map((radio) => radio.closest('label')?.textContent)).toEqual(['System', 'Compact', 'None', 'Off', 'On', 'Off'])
})
