import { type InstancePicture, REDACTED, TRUNCATED_SUFFIX } from '@graphmind-ai/schema'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { Inspector } from './inspector.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const panel = () => within(screen.getByRole('region', { name: 'Inspector' }))

/** Draws the inspector with this call of the run selected, changed as told. */
function inspect(text: string, id: string, change: Partial<InstancePicture> = {}, status: 'running' | 'abandoned' = 'running') {
  const run = runFromText(text)
  const instance = run.picture.instances.get(id)
  if (instance === undefined) throw new Error(`${id} is not in the picture.`)
  run.picture.instances.set(id, { ...instance, ...change })
  const viewer = fakeViewer(run, { runs: new Map([[RUN_ID, runInfo({ status })]]) })
  return { ...renderPanel(<Inspector />, viewer, `instance=${id}`), viewer }
}

describe('the inspector', () => {
  it('shows the run, and what would fill it, while nothing is selected', () => {
    renderPanel(<Inspector />, fakeViewer(runFromText('tool search 0-10')))
    expect(panel().getByRole('heading', { name: 'pictured' })).toBeTruthy()
    expect(panel().getByText('Select a node or a row to see its messages, input and output.')).toBeTruthy()
  })

  it('says where a step of the address may be that the run does not have', () => {
    renderPanel(<Inspector />, fakeViewer(runFromText('tool search 0-10')), 'instance=nobody')
    expect(panel().getByText(/This step is not in the run/)).toBeTruthy()
  })

  it('tells a call by kind and name, with the way to its caller and to its other runs', () => {
    const { history } = inspect('agent planner 0-90\n  tool search 10-20\n  tool search 30-40', 'search1')
    expect(panel().getByRole('heading', { name: 'tool search' })).toBeTruthy()
    expect(panel().getByText('1/2')).toBeTruthy()
    expect(panel().getByRole('button', { name: 'Previous time it ran' }).hasAttribute('disabled')).toBe(true)
    fireEvent.click(panel().getByRole('button', { name: 'Next time it ran' }))
    expect(history.at(-1)).toContain('instance=search2')
    fireEvent.click(panel().getByRole('button', { name: /agent planner/ }))
    expect(history.at(-1)).toContain('instance=planner1')
  })

  it.each([
    ['running', 'tool search 0-', {}, /^— No output yet: running for/],
    ['held', 'tool search 0- waits:5', {}, /^— No output yet: the call is held/],
    ['aborted', 'tool search 0-10', { status: 'aborted', output: undefined }, /^— No output: the call was aborted/],
    [
      'finished without one',
      'tool search 0-10',
      { output: undefined },
      /^— The call finished, but its output was not recorded\. .*recordOutputs/,
    ],
    ['finished with a hidden one', 'tool search 0-10', { output: REDACTED }, /^▮▮ hidden before it left the agent/],
  ] as const)('never shows a missing output as empty: %s', (_, text, change, words) => {
    inspect(text, 'search1', change)
    const output = panel().getByRole('heading', { name: 'Output' }).closest('div')?.parentElement
    expect(output?.querySelector('p')?.textContent).toMatch(words)
  })

  it('says of a call whose end nobody saw that it has none, and neither runs nor failed', () => {
    inspect('tool search 0-', 'search1', {}, 'abandoned')
    expect(panel().getByText('Abandoned')).toBeTruthy()
    expect(panel().getByText(/no end of this call was seen/)).toBeTruthy()
  })

  it('marks what a person gave, and keeps the error it replaced', () => {
    inspect('tool search 0-10 error', 'search1', { status: 'ok', injected: { output: 'by hand' } })
    expect(panel().getByText('injected')).toBeTruthy()
    expect(panel().getByText('given by a person')).toBeTruthy()
    expect(panel().getByText('search broke')).toBeTruthy()
  })

  it('can hold the next failure of a node that failed, and shows its span beside what is known of it', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(async () =>
        Response.json({ span: { name: 'execute_tool search', kind: 3 }, reading: { dialect: 'otel-genai', unread: ['my.team'] } }),
      ),
    )
    const { viewer } = inspect('tool search 0-10 error', 'search1')
    fireEvent.click(panel().getByRole('button', { name: 'Break here next time' }))
    expect(viewer.actions.setBreakpoint).toHaveBeenCalledExactlyOnceWith({ kind: 'tool', name: 'search', point: 'error' })
    fireEvent.mouseDown(panel().getByRole('tab', { name: 'Raw' }))
    expect((await panel().findByRole('heading', { name: 'Span as it was sent' })).closest('div')?.parentElement?.textContent).toContain(
      'execute_tool search',
    )
    const mapping = within(panel().getByRole('region', { name: 'Mapping' }))
    expect(mapping.getByText('Read as', { exact: false }).textContent).toBe(
      'Read as otel-genai. It did not look at 1 attribute of the span:',
    )
    expect(mapping.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['my.team'])
    expect(fetch).toHaveBeenCalledExactlyOnceWith(`/api/runs/${RUN_ID}/instances/search1`, {})
    vi.unstubAllGlobals()
  })

  it('says that a span is there no longer, and why', async () => {
    const error = `Run ${RUN_ID} was deleted.`
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => Response.json({ error }, { status: 404 })),
    )
    inspect('tool search 0-10', 'search1')
    fireEvent.mouseDown(panel().getByRole('tab', { name: 'Raw' }))
    expect(await panel().findByText(`The span could not be read. ${error}`)).toBeTruthy()
    vi.unstubAllGlobals()
  })

  it.each([
    ['was too large to be sent whole', { __graphmindTruncated: true, bytes: 9_000_000, preview: '{"rows": [' }],
    ['holds a text that was too large', { rows: [`a lot${TRUNCATED_SUFFIX}`] }],
  ])('says of a value that %s that it is not the whole', (_, output) => {
    inspect('tool search 0-10', 'search1', { output })
    expect(panel().getAllByText(/^Not the whole value: it was too large to send/)).toHaveLength(1)
  })

  it('remembers the tab of each kind of call', () => {
    inspect('tool search 0-10', 'search1')
    fireEvent.mouseDown(panel().getByRole('tab', { name: 'Output' }))
    cleanup()
    inspect('tool book 0-10', 'book1')
    expect(panel().getByRole('tab', { selected: true }).textContent).toBe('Output')
  })

  it('says of the past that a later step had not started', () => {
    const run = runFromText('tool search 0-10')
    renderPanel(<Inspector />, fakeViewer(run, { run: openRun(run, { asOf: { seq: 0, at: 0 } }) }), 'instance=later')
    expect(panel().getByText('At this moment the selected step had not started yet.')).toBeTruthy()
  })
})
