import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { RunMenu } from './run-menu.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('saves a run of the list in every format, and says why it could not', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return Response.json({ error: 'The run is gone.' }, { status: 404 })
  })
  const viewer = fakeViewer(runFromText('tool search 0-10'))
  // The menu opens inside of the page's main part.
  const main = document.createElement('main')
  main.id = 'main'
  document.body.append(main)
  renderPanel(<RunMenu run={runInfo({ id: 'r1', name: 'trip' })} edit={() => undefined} />, viewer)
  fireEvent.click(screen.getByRole('button', { name: 'More for trip' }))
  expect(screen.getAllByRole('menuitem', { name: /^Save: / })).toHaveLength(4)
  fireEvent.click(screen.getByRole('menuitem', { name: 'Save: Events as NDJSON' }))
  await waitFor(() => expect(viewer.store.getState().problem).toBe('The run was not saved. The run is gone.'))
  expect(asked).toEqual(['/api/runs/r1/export?format=ndjson'])
  main.remove()
})
