import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { RunNotes } from './run-notes.tsx'

afterEach(cleanup)

function notes(info: Parameters<typeof runInfo>[0], lost = 0, text = 'tool search 0-10') {
  const run = runFromText(text)
  if (lost > 0) run.picture.gaps.push({ seq: 1, ts: 1, droppedCount: lost, reason: 'the queue was full' } as never)
  renderPanel(<RunNotes />, fakeViewer(run, { runs: new Map([[RUN_ID, runInfo(info)]]) }))
  return document.body.textContent
}

it('says nothing of a run that is as it should be', () => {
  expect(notes({})).toBe('')
})

it('says of an abandoned run when it was last heard, and that it may go on', () => {
  expect(notes({ status: 'abandoned', finishedAt: Date.now() - 180_000 })).toContain(
    'Last heard 3 min ago. If more arrives, the run goes on.',
  )
})

it('says of a run that was deleted or pruned while it is looked at how long it can still be read', () => {
  const run = runFromText('tool search 0-10')
  renderPanel(<RunNotes />, fakeViewer(run, { runs: new Map(), removedRuns: new Set([RUN_ID]) }))
  expect(screen.getByText(/no longer has this run: it was deleted or pruned.*until it is loaded again/)).toBeTruthy()
})

it('says of an imported run that nothing can be held', () => {
  expect(notes({ source: 'import' })).toContain('There is no agent behind it')
})

it.each([
  ['agent lead 0-20\n  tool search 0-10', false],
  ['tool search 0-10\ntool search 20-30', true],
])('says of an imported run without a tree what would bring one: %j', (text, told) => {
  expect(notes({ source: 'import' }, 0, text)?.includes('there is no tree')).toBe(told)
})

it('says what to try while the demo is held, with the keys for it', () => {
  expect(notes({ source: 'demo', held: 1 })).toBe(
    'This is the demo. Try it: J looks at the held call, S goes on to the next one, I gives it a value, V compares the run with another.',
  )
  cleanup()
  expect(notes({ source: 'demo' })).toBe('')
})

it('says how much was lost on the way, and why', () => {
  expect(notes({}, 1200)).toContain('1.2k events were lost before they reached the collector (the queue was full)')
  expect(screen.getByText(/may have holes/)).toBeTruthy()
})
