import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { performPauseAction } from '../../commands/held-call.ts'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText, START } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { PauseBar } from './pause-bar.tsx'
import { SkipToHeld } from './skip-to-held.tsx'

const held = () =>
  runFromText(`
    agent planner   0-
      tool convert  10-20
      tool convert  30- waits:40 at:error
      tool book     30- waits:50`)
const first = 'convert2-pause1'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const bar = () => within(screen.getByRole('region', { name: 'Paused' }))
const button = (name: string) => bar().getByRole('button', { name })

describe('the pause bar', () => {
  it('is not there while nothing waits', () => {
    renderPanel(<PauseBar />, fakeViewer(runFromText('tool search 0-10')))
    expect(screen.queryByRole('region', { name: 'Paused' })).toBeNull()
  })

  it('is reached from the top of the page, as long as it is there', () => {
    const viewer = fakeViewer(held())
    renderPanel(
      <>
        <SkipToHeld />
        <PauseBar />
      </>,
      viewer,
    )
    const target = screen.getByRole('link', { name: 'Skip to the held call' }).getAttribute('href')
    expect(screen.getByRole('region', { name: 'Paused' }).id).toBe(target?.slice(1))
    act(() => viewer.store.setState({ run: openRun(runFromText('tool search 0-10')) }))
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('waits until the history is complete, which may tell that all went on long ago', () => {
    const viewer = fakeViewer(held())
    viewer.store.setState({ run: openRun(held(), { phase: 'loading' }) })
    renderPanel(<PauseBar />, viewer)
    performPauseAction(viewer, 'continue')
    expect(viewer.actions.resume).not.toHaveBeenCalled()
    expect(screen.queryByRole('region', { name: 'Paused' })).toBeNull()
    act(() => viewer.store.setState({ run: openRun(held()) }))
    expect(bar().getByText('Paused on an error in tool convert')).toBeTruthy()
  })

  it('says what waits, why, and how many more do', () => {
    renderPanel(<PauseBar />, fakeViewer(held()))
    expect(bar().getByText('Paused on an error in tool convert')).toBeTruthy()
    expect(bar().getByText('Error: convert broke')).toBeTruthy()
    expect(bar().getByText(/1 of 2 calls waiting/)).toBeTruthy()
    fireEvent.click(button('Next held call'))
    expect(bar().getByText('Paused before tool book')).toBeTruthy()
  })

  it('says that nobody was watching when it began, and when it goes on by itself', () => {
    vi.useFakeTimers({ now: START + 1000, toFake: ['Date'] })
    renderPanel(<PauseBar />, fakeViewer(runFromText('tool book 0- waits:10 unwatched until:31000')))
    expect(bar().getByText('nobody was watching')).toBeTruthy()
    expect(bar().getByText(/^goes on by itself in 30\.0 s$/)).toBeTruthy()
    cleanup()
    renderPanel(<PauseBar />, fakeViewer(runFromText('tool book 0- waits:10')))
    expect(bar().queryByText(/nobody|by itself/)).toBeNull()
  })

  it.each(['Continue', 'Retry'] as const)('sends %s for the call it shows', (name) => {
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    fireEvent.click(button(name))
    expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith(first, { action: name.toLowerCase() })
  })

  it('continues all, or all but errors, from a menu that keys reach and that says how many go on', () => {
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    const choose = (name: string) => {
      fireEvent.keyDown(button('All held calls'), { key: 'Enter' })
      fireEvent.keyDown(screen.getByRole('menuitem', { name }), { key: 'Enter' })
    }
    choose('Continue all (2) ⇧C')
    expect(viewer.actions.resume.mock.calls).toEqual([
      [first, { action: 'continue' }],
      ['book1-pause1', { action: 'continue' }],
    ])
    viewer.actions.resume.mockClear()
    choose('Continue all but errors (1)')
    expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith('book1-pause1', { action: 'continue' })
  })

  it('lets nothing of the menu be chosen that would let no call go', () => {
    const viewer = fakeViewer(held(), { link: { phase: 'connecting', attempt: 1 } })
    renderPanel(<PauseBar />, viewer)
    fireEvent.keyDown(button('All held calls'), { key: 'Enter' })
    fireEvent.click(screen.getByRole('menuitem', { name: /^Continue all \(0\)/ }))
    expect(viewer.actions.resume).not.toHaveBeenCalled()
  })

  it('steps by switching step mode on, and ends that step mode with Continue', () => {
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    fireEvent.click(button('Step'))
    expect(viewer.actions.setMode).toHaveBeenLastCalledWith('step')
    viewer.store.setState({ mode: 'step' })
    fireEvent.click(button('Continue'))
    expect(viewer.actions.setMode).toHaveBeenLastCalledWith('run')
    expect(viewer.actions.resume).toHaveBeenCalledTimes(2)
  })

  it('leaves step mode alone that the switch set', () => {
    const viewer = fakeViewer(held(), { mode: 'step' })
    performPauseAction(viewer, 'continue')
    expect(viewer.actions.setMode).not.toHaveBeenCalled()
  })

  it('asks once before it aborts', () => {
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    fireEvent.click(button('Abort'))
    expect(viewer.actions.resume).not.toHaveBeenCalled()
    fireEvent.click(within(screen.getByRole('alertdialog', { name: 'Abort the run?' })).getByRole('button', { name: 'Abort run' }))
    expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith(first, { action: 'abort' })
  })

  it('warns in the open that a tool run again may do twice what it did, unless its server says otherwise', () => {
    const caution = 'Run again, this tool may do a second time what it already did.'
    renderPanel(<PauseBar />, fakeViewer(held()))
    expect(bar().getByText(caution)).toBeTruthy()
    expect(button('Retry').getAttribute('aria-description')).toBe(`Run the call again. ${caution}`)
    expect(button('Continue').getAttribute('aria-description')).toBe('Let the error through')
    fireEvent.click(button('Next held call'))
    expect(bar().queryByText(caution)).toBeNull()
    cleanup()
    const tools = [{ name: 'look', inputSchema: {}, annotations: { readOnlyHint: true } }]
    renderPanel(<PauseBar />, fakeViewer(runFromText('custom list 0-5\ntool look 6- waits:9 at:error', { list1: { output: { tools } } })))
    expect(button('Retry').getAttribute('aria-description')).toBe('Run the call again')
    expect(bar().queryByText(caution)).toBeNull()
  })

  it('keeps unavailable actions in sight, disabled, with the reason', () => {
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    const edit = button('Edit')
    expect(edit.getAttribute('aria-disabled')).toBe('true')
    expect(edit.title).toBe('The agent doesn’t take a changed input for this call.')
    fireEvent.click(edit)
    expect(viewer.workbench.getState().editor).toBeUndefined()
  })

  it('says that a command waits for its answer, that it waits long, that it was taken, and that no answer came', () => {
    const request = { requestId: 'r', action: 'continue', sentAt: Date.now() } as const
    const viewer = fakeViewer(held(), { requests: new Map([[first, { ...request, state: 'sent' }]]) })
    renderPanel(<PauseBar />, viewer)
    expect(bar().getByRole('status').textContent).toBe('Sent…')
    expect(button('Continue').getAttribute('aria-disabled')).toBe('true')
    act(() => viewer.store.setState({ requests: new Map([[first, { ...request, sentAt: Date.now() - 6000, state: 'sent' }]]) }))
    expect(bar().getByRole('status').textContent).toBe('Sent. No answer from the agent yet.')
    act(() => viewer.store.setState({ requests: new Map([[first, { ...request, state: 'taken' }]]) }))
    expect(bar().getByRole('status').textContent).toBe('Taken by the agent…')
    expect(button('Continue').getAttribute('aria-disabled')).toBe('true')
    const message = 'The program did not answer. The call is still held; try again.'
    act(() => viewer.store.setState({ requests: new Map([[first, { ...request, state: 'refused', message }]]) }))
    expect(bar().getByRole('alert').textContent).toBe(message)
    fireEvent.click(button('Continue'))
    expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith(first, { action: 'continue' })
  })

  it('offers nothing when the agent’s link is down', () => {
    const viewer = fakeViewer(held(), { runs: new Map([[RUN_ID, runInfo({ live: false })]]) })
    renderPanel(<PauseBar />, viewer)
    fireEvent.click(button('Continue'))
    expect(viewer.actions.resume).not.toHaveBeenCalled()
    expect(button('Continue').title).toMatch(/link is down/)
  })
})

it('tells in the editor which fields the tool takes, and warns without refusing', async () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' }, nights: { type: 'integer' } }, required: ['city'] }
  const values = { draft1: { input: { tools: [{ name: 'book', parameters }] } }, book1: { input: { city: 'Oslo' } } }
  const viewer = fakeViewer(runFromText('llm draft 0-9\ntool book 10- waits:20 editable', values))
  renderPanel(<PauseBar />, viewer)
  fireEvent.click(button('Edit'))
  await screen.findByRole('textbox', { name: 'Edited input' })
  expect(bar().getByText('city: string, nights?: integer')).toBeTruthy()
  localStorage.setItem(`gm:draft:${RUN_ID}:book1-pause1:edit`, '1 {"nigths": 2}')
  cleanup()
  renderPanel(<PauseBar />, viewer)
  await screen.findByRole('textbox', { name: 'Edited input' })
  await waitFor(() => expect(document.querySelector('.cm-lintRange-warning')?.textContent).toBe('"nigths"'))
  fireEvent.click(button('Send'))
  expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith('book1-pause1', { action: 'continue', input: { nigths: 2 } })
})

describe('injecting', () => {
  const editor = () => screen.findByRole('textbox', { name: 'Injected value' })

  it('starts with the last result of the node and sends it as JSON', async () => {
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    fireEvent.click(button('Inject'))
    expect((await editor()).textContent).toContain('"answer": "convert1"')
    fireEvent.click(button('Send'))
    expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith(first, { action: 'inject', output: { answer: 'convert1' } })
  })

  it('shows what would change beside the draft, before and after', async () => {
    localStorage.setItem(`gm:draft:${RUN_ID}:${first}:inject`, '1 {"answer": "by hand"}')
    renderPanel(<PauseBar />, fakeViewer(held()))
    fireEvent.click(button('Inject'))
    await editor()
    fireEvent.click(bar().getByRole('radio', { name: 'Changes' }))
    await waitFor(() => expect(document.querySelector('.cm-deletedChunk')?.textContent).toContain('convert1'))
    expect(document.querySelector('.cm-changedLine')?.textContent).toContain('by hand')
    fireEvent.click(bar().getByRole('radio', { name: 'Now' }))
    expect(document.querySelector('.cm-deletedChunk')).toBeNull()
  })

  it('keeps a draft over a reload, and sends nothing that is not JSON', async () => {
    localStorage.setItem(`gm:draft:${RUN_ID}:${first}:inject`, '1 42 euros')
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    fireEvent.click(button('Inject'))
    expect((await editor()).textContent).toContain('42 euros')
    fireEvent.click(button('Send'))
    expect(viewer.actions.resume).not.toHaveBeenCalled()
    expect(bar().getByText(/Not JSON yet/)).toBeTruthy()
    fireEvent.click(button('Make it JSON text'))
    fireEvent.click(button('Send'))
    expect(viewer.actions.resume).toHaveBeenCalledExactlyOnceWith(first, { action: 'inject', output: '42 euros' })
  })

  it('keeps the draft after a refusal and says why', async () => {
    const viewer = fakeViewer(held())
    renderPanel(<PauseBar />, viewer)
    fireEvent.click(button('Inject'))
    await editor()
    viewer.store.setState({
      requests: new Map([[first, { requestId: 'r', action: 'inject', sentAt: 0, state: 'refused', message: 'amount must be a number.' }]]),
    })
    expect(await bar().findByText(/amount must be a number\. Your draft is kept\./)).toBeTruthy()
  })
})

it('tells how a hold ended, and a lost link for what it is', () => {
  const run = runFromText('tool convert 0- paused:10-20')
  const pause = run.picture.pauses.get('convert1-pause1')
  if (pause?.released === undefined) throw new Error('The pictured pause was not released.')
  const lost = { ...pause, released: { ...pause.released, cause: 'link-lost' as const } }
  renderPanel(
    <PauseBar />,
    fakeViewer(run, {
      run: openRun(run, {
        notices: [
          { pause, mine: false },
          { pause: { ...lost, pauseId: 'other' }, mine: false },
        ],
      }),
    }),
  )
  const notices = within(screen.getByRole('status', { name: 'Released calls' }))
  expect(notices.getByText('Continued by another viewer')).toBeTruthy()
  expect(notices.getByText('Let go: link lost')).toBeTruthy()
})
