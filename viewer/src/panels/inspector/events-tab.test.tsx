import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText, START } from '../../testing/run-from-text.ts'
import { Inspector } from './inspector.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const noted = (ms: number, name: string, attributes: readonly object[] = []) => ({
  timeUnixNano: String((START + ms) * 1_000_000),
  name,
  attributes,
})

/** Draws the Events tab of a call that was held, whose span has these events. */
function eventsOf(spans: readonly object[], recorded?: { readonly writtenAt: number }) {
  const answers = [...spans]
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ span: answers.length > 1 ? answers.shift() : answers[0] })),
  )
  const run = runFromText('tool search 0- paused:10-40')
  const log = new Map([['search1', run.envelopes.filter(({ type }) => type !== 'run.started')]])
  const viewer = fakeViewer(run, { run: openRun(run, { log }) })
  renderPanel(<Inspector />, recorded === undefined ? viewer : { ...viewer, recorded }, 'instance=search1&tab=events')
  return viewer
}

const lines = () => within(screen.getByRole('list', { name: 'Events' })).getAllByRole('listitem')
const words = () => lines().map((line) => line.querySelector('summary')?.textContent)

it('lists what the program noted between what was told, with its attributes', async () => {
  eventsOf([{ events: [noted(20, 'retry scheduled', [{ key: 'attempt', value: { intValue: '2' } }]), noted(60, 'cache miss')] }])
  await screen.findByText('retry scheduled')
  expect(words()).toEqual([
    expect.stringMatching(/^\+0 s?.*Started#1$/),
    expect.stringContaining('Held before the call'),
    '+20 msretry schedulednoted',
    expect.stringContaining('Let go: continue'),
    '+60 mscache missnoted',
  ])
  fireEvent.click(screen.getByText('retry scheduled'))
  expect(lines()[2]?.querySelector('pre')?.textContent).toBe(JSON.stringify({ attempt: 2 }, null, 2))
  expect(fetch).toHaveBeenCalledExactlyOnceWith(`/api/runs/${RUN_ID}/instances/search1`, {})
})

it('asks again once the call has ended, and shows what it knows meanwhile', async () => {
  const viewer = eventsOf([{ events: [noted(20, 'first')] }, { events: [noted(20, 'first'), noted(70, 'last')] }])
  await screen.findByText('first')
  const { picture } = viewer.store.getState().run ?? {}
  const instance = picture?.instances.get('search1')
  if (picture === undefined || instance === undefined) throw new Error('search1 is not in the picture.')
  picture.instances.set('search1', { ...instance, status: 'ok', endedAt: START + 80 })
  act(() => viewer.store.setState({ run: openRun({ picture, envelopes: [] }, { commit: 2 }) }))
  expect(screen.getByText('first')).toBeTruthy()
  expect(await screen.findByText('last')).toBeTruthy()
})

it.each([
  [200, undefined],
  [201, '1 more that the program noted is under Raw.'],
])('lists up to 200 of what the program noted: %d', async (count, more) => {
  eventsOf([{ events: Array.from({ length: count }, (_, at) => noted(at, `event ${at}`)), droppedEventsCount: 5 }])
  await screen.findByText('event 199')
  expect(screen.queryByText(/under Raw/)?.textContent).toBe(more)
  expect(screen.getByText('The program noted 5 more that did not arrive.')).toBeTruthy()
})

it('says when the span can’t be read, and lists what was told', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ error: 'It was deleted.' }, { status: 404 })),
  )
  renderPanel(<Inspector />, fakeViewer(runFromText('tool search 0-10')), 'instance=search1&tab=events')
  expect(await screen.findByText(/could not be read\. It was deleted\./)).toBeTruthy()
})

it('asks nobody in a recording', () => {
  eventsOf([{}], { writtenAt: START })
  expect(lines()).toHaveLength(3)
  expect(fetch).not.toHaveBeenCalled()
})
