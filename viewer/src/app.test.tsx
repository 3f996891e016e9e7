import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { App } from './app.tsx'
import { fakeViewer, openRun, renderPanel } from './testing/fake-viewer.tsx'
import { giveSize } from './testing/give-size.ts'
import { RUN_ID, runFromText } from './testing/run-from-text.ts'
import { runInfo } from './testing/run-info.ts'

beforeEach(() => {
  giveSize()
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 404 }))
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">'
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const calls = Array.from({ length: 60 }, (_, at) => `  tool call${at} ${at * 10}-${at * 10 + 5}`).join('\n')
const before = runFromText(`agent planner 0-\n${calls}`)
const held = runFromText(`agent planner 0-\n${calls}\n  tool book 700- waits:710`)
const icon = () => document.querySelector('link[rel="icon"]')?.getAttribute('href')

it('tells in the tab’s title and icon of a held call, and moves neither focus nor scroll nor selection', async () => {
  const viewer = fakeViewer(before)
  const { history } = renderPanel(<App viewer={viewer} />, viewer, 'view=timeline&instance=call01')
  const tree = await screen.findByRole('tree', { name: 'Run outline' })
  act(() => tree.focus())
  tree.scrollTop = 240
  fireEvent.scroll(tree)
  const address = history.at(-1)
  const focused = document.activeElement
  expect(document.title).toBe('pictured · GraphMind')
  act(() => viewer.store.setState({ run: openRun(held), runs: new Map([[RUN_ID, runInfo({ held: 1 })]]) }))
  expect(await screen.findByRole('region', { name: 'Paused' })).toBeTruthy()
  expect(document.title).toBe('⏸ book · pictured · GraphMind')
  expect(icon()).toBe('/favicon-held.svg')
  expect(document.activeElement).toBe(focused)
  expect(focused).toBe(tree)
  expect(tree.scrollTop).toBe(240)
  expect(history.at(-1)).toBe(address)
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(history.at(-1)).toContain('instance=book1')
})
