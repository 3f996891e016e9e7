import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { DemoButton } from './demo-button.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Presses the button before a collector that answers so. */
function press(status: number, body: unknown) {
  const ask = vi.fn<typeof fetch>(() => Promise.resolve(new Response(JSON.stringify(body), { status })))
  vi.stubGlobal('fetch', ask)
  const { history } = renderPanel(<DemoButton />, fakeViewer(runFromText('tool search 0-10')))
  fireEvent.click(screen.getByRole('button', { name: 'Run the demo' }))
  return { ask, history }
}

it('starts the demo once and opens its run', async () => {
  const { ask, history } = press(202, { runId: 'abc' })
  fireEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(history.at(-1)).toBe('/run/abc'))
  expect(ask.mock.calls).toEqual([['/api/demo/start', { method: 'POST' }]])
})

it('goes away where the collector has no demo', async () => {
  press(404, {})
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
})

it('says why it could not start, and can be pressed again', async () => {
  press(429, { error: 'Four demos run already.' })
  expect((await screen.findByRole('alert')).textContent).toContain('Four demos run already.')
  expect(screen.getByRole('button', { name: 'Run the demo' }).hasAttribute('disabled')).toBe(false)
})
