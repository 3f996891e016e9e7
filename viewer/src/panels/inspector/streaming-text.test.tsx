import type { StreamPicture } from '@graphmind-ai/schema'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText, START } from '../../testing/run-from-text.ts'
import { Inspector } from './inspector.tsx'
import { StreamingText } from './streaming-text.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const stream = (change: Partial<StreamPicture> = {}): StreamPicture => ({
  ...{ text: 'Lisbon', reasoning: '', toolArgs: '', chunks: 20, firstAt: START, lastAt: START + 2000 },
  ...change,
})

const draw = (change: Partial<StreamPicture>, open = true, outputTokens?: number) =>
  renderPanel(<StreamingText stream={stream(change)} open={open} outputTokens={outputTokens} />, fakeViewer(runFromText('llm draft 0-')))

describe('streamed output', () => {
  it('says how fast it comes: in pieces, for these are no tokens, until the call has told its tokens', () => {
    draw({})
    expect(screen.getByText('Streaming, 10 pieces/s')).toBeTruthy()
    cleanup()
    draw({}, false, 90)
    expect(screen.getByText('The stream ended here, 45 tok/s')).toBeTruthy()
    cleanup()
    draw({ lastAt: START + 100 })
    expect(screen.getByText('Streaming')).toBeTruthy()
  })

  it('has a caret at its end only while more may come', () => {
    const { container } = draw({})
    expect(container.querySelector('[aria-busy=true] [class*=caret]')).toBeTruthy()
    cleanup()
    expect(draw({}, false).container.querySelector('[class*=caret]')).toBeNull()
  })

  it('shows its reasoning while there is nothing else, and then folds it unless it was opened', async () => {
    const part = () => screen.getByText('Reasoning').closest('details')
    draw({ text: '', reasoning: 'thinking' })
    expect(part()?.open).toBe(true)
    cleanup()
    draw({ reasoning: 'thinking' })
    expect(part()?.open).toBe(false)
    fireEvent.click(screen.getByText('Reasoning'))
    await waitFor(() => expect(part()?.open).toBe(true))
  })
})

it('goes along with the stream for who reads its end, and leaves everybody else where they are', () => {
  const run = runFromText('llm draft 0-')
  const instance = run.picture.instances.get('draft1')
  if (instance === undefined) throw new Error('draft1 is not in the picture.')
  const viewer = fakeViewer(run)
  const told = (chunks: number) => {
    run.picture.instances.set('draft1', { ...instance, stream: stream({ chunks, text: 'x'.repeat(chunks) }) })
    act(() => viewer.store.setState({ run: openRun(run, { commit: chunks }) }))
  }
  const { container } = renderPanel(<Inspector />, viewer, 'instance=draft1')
  const body = container.querySelector('[role=tabpanel]')
  if (!(body instanceof HTMLElement)) throw new Error('The inspector has no body.')
  let height = 500
  vi.spyOn(body, 'scrollHeight', 'get').mockImplementation(() => height)
  vi.spyOn(body, 'clientHeight', 'get').mockReturnValue(100)
  body.scrollTop = 400
  fireEvent.scroll(body)
  height = 700
  told(5)
  expect(body.scrollTop).toBeGreaterThanOrEqual(600)
  body.scrollTop = 50
  fireEvent.scroll(body)
  height = 900
  told(9)
  expect(body.scrollTop).toBe(50)
})
