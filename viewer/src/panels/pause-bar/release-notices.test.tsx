import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fakeViewer, openRun, renderPanel } from '../../testing/fake-viewer.tsx'
import { runFromText } from '../../testing/run-from-text.ts'
import { ReleaseNotices } from './release-notices.tsx'

afterEach(cleanup)

/** Shows how the one hold of the run ended. */
function notice(released: object, mine: boolean) {
  const run = runFromText('tool search 0- waits:5')
  const [pause] = run.picture.pauses.values()
  if (pause === undefined) throw new Error('Nothing waits in the picture.')
  const ended = { ...pause, released: { at: Date.now(), action: 'continue', ...released } as never }
  const viewer = fakeViewer(run, { run: openRun(run, { notices: [{ pause: ended, mine }] }) })
  renderPanel(<ReleaseNotices />, viewer)
  return { viewer, text: screen.getByRole('status', { name: 'Released calls' }).textContent }
}

it('tells what this viewer did', () => {
  expect(notice({ cause: 'viewer', action: 'inject' }, true).text).toBe('Injected · tool search')
})

it('tells who else was first', () => {
  expect(notice({ cause: 'viewer', operator: 'Ada' }, false).text).toBe('Continued by Ada · tool search · just now')
  cleanup()
  expect(notice({ cause: 'viewer' }, false).text).toBe('Continued by another viewer · tool search · just now')
})

it.each([
  ['link-lost', 'Let go: link lost · tool search · just now'],
  ['timeout', 'Let go: the hold timed out · tool search · just now'],
])('never tells %s as a person’s choice, and keeps it until it was read', (cause, words) => {
  const { viewer, text } = notice({ cause }, true)
  expect(text).toBe(words)
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(viewer.actions.dismissNotice).toHaveBeenCalledExactlyOnceWith('search1-pause1')
})
