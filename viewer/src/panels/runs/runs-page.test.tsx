import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { RunsPage } from './runs-page.tsx'

beforeEach(() => vi.stubGlobal('fetch', async () => Response.json({})))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const OLD = runInfo({ id: 'old' })

function page(runs: readonly ReturnType<typeof runInfo>[], isWelcome = false) {
  const known = new Map(runs.map((run) => [run.id, run]))
  const viewer = fakeViewer(runFromText('tool search 0-10'), { runs: known })
  const { history } = renderPanel(<RunsPage isWelcome={isWelcome} />, viewer)
  const begins = (run: ReturnType<typeof runInfo>) => act(() => viewer.store.setState({ runs: new Map(known.set(run.id, run)) }))
  return { begins, address: () => history.at(-1) }
}

it('opens the first run of an agent by itself, and no web traffic before it', () => {
  const { begins, address } = page([])
  screen.getByRole('heading', { name: 'Nothing has run yet' })
  const before = address()
  begins(runInfo({ id: 'web', category: 'other' }))
  expect(address()).toBe(before)
  begins(runInfo({ id: 'first' }))
  expect(address()).toBe('/run/first')
})

it('stays where a file is imported', () => {
  const { begins, address } = page([])
  const before = address()
  begins(runInfo({ id: 'file', source: 'import' }))
  begins(runInfo({ id: 'first' }))
  expect(address()).toBe(before)
})

it('stays at the list where runs were there before', () => {
  const { begins, address } = page([OLD])
  const before = address()
  begins(runInfo({ id: 'next' }))
  expect(address()).toBe(before)
})

it('tells how to connect an agent also where runs are, and opens the next one', () => {
  const { begins, address } = page([OLD], true)
  screen.getByRole('heading', { name: 'Connect an agent' })
  begins(runInfo({ id: 'next' }))
  expect(address()).toBe('/run/next')
})
