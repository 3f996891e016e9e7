import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { Inspector } from './inspector.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const chat = (reasoning: string, query: string) => [
  { role: 'system', content: Array.from({ length: 9 }, (_, at) => `rule ${at}`).join('\n') },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: reasoning },
      { type: 'tool-call', toolCallId: query, toolName: 'search', input: { query } },
    ],
  },
]

function twoModelCalls() {
  const run = runFromText('llm draft 0-10\nllm draft 20-30\ntool search 40-50 error\ntool search 60-70 error')
  for (const [id, input] of [
    ['draft1', chat('first thought', 'Lisbon')],
    ['draft2', chat('second thought', 'Oslo')],
  ] as const) {
    const instance = run.picture.instances.get(id)
    if (instance !== undefined) run.picture.instances.set(id, { ...instance, input })
  }
  return fakeViewer(run)
}

const part = (words: string | RegExp) => screen.getAllByText(words)[0]?.closest('details') ?? undefined
const next = () => fireEvent.click(screen.getByRole('button', { name: 'Next time it ran' }))

it('leaves open at the next call what was opened at this one, and closed what was closed', async () => {
  renderPanel(<Inspector />, twoModelCalls(), 'instance=draft1')
  fireEvent.click(screen.getByText('Reasoning'))
  fireEvent.click(screen.getByText('search'))
  fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
  await waitFor(() => expect(part('Reasoning')?.open).toBe(true))
  next()
  expect(screen.getByText('second thought')).toBeTruthy()
  expect(part('Reasoning')?.open).toBe(true)
  expect(part('search')?.open).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Show less' }))
  fireEvent.click(screen.getByText('Reasoning'))
  await waitFor(() => expect(part('Reasoning')?.open).toBe(false))
  fireEvent.click(screen.getByRole('button', { name: 'Previous time it ran' }))
  expect(part('Reasoning')?.open).toBe(false)
  expect(part('search')?.open).toBe(true)
  expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy()
})

it('keeps it open when the call is told of anew, and at a click inside', async () => {
  const viewer = twoModelCalls()
  renderPanel(<Inspector />, viewer, 'instance=draft1')
  fireEvent.click(screen.getByText('Reasoning'))
  await waitFor(() => expect(part('Reasoning')?.open).toBe(true))
  fireEvent.click(screen.getByText('first thought'))
  const { picture } = viewer.store.getState().run ?? {}
  const instance = picture?.instances.get('draft1')
  if (picture === undefined || instance === undefined) throw new Error('draft1 is not in the picture.')
  picture.instances.set('draft1', { ...instance, status: 'error' })
  act(() => viewer.store.setState({ run: openRun({ picture, envelopes: [] }, { commit: 2 }) }))
  expect(part('Reasoning')?.open).toBe(true)
})

it('tells the kinds of calls apart', async () => {
  const viewer = twoModelCalls()
  const error = { name: 'Error', message: 'no', stack: 'Error: no\n    at get (/app/node_modules/got/index.js:1:2)' }
  for (const id of ['draft1', 'search1', 'search2']) {
    const instances = viewer.store.getState().run?.picture.instances
    const instance = instances?.get(id)
    if (instance !== undefined) instances?.set(id, { ...instance, errors: [error] })
  }
  const first = renderPanel(<Inspector />, viewer, 'instance=search1')
  fireEvent.click(screen.getByText('1 library frame'))
  await waitFor(() => expect(part('1 library frame')?.open).toBe(true))
  next()
  expect(part('1 library frame')?.open).toBe(true)
  first.unmount()
  renderPanel(<Inspector />, viewer, 'instance=draft1')
  expect(part('1 library frame')?.open).toBe(false)
})
