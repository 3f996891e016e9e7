import { type PausePicture, runHeldMs } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { runFromText, START } from '../testing/run-from-text.ts'
import { runInfo } from '../testing/run-info.ts'
import { type CommandState, effectWords, offers, pauseTitle, releaseWords, waiters, whyItWaits } from './pauses.ts'
import { timingOf } from './timing.ts'

const { picture } = runFromText(`
  agent planner    0-
    tool search    10-200 paused:20-120
    tool convert   210-   waits:250 at:error
    tool book      210-   waits:230 editable actions:continue,abort`)
const [first, second] = waiters(picture)

const unavailable = (pause = first, info = runInfo(), command?: CommandState) =>
  pause === undefined
    ? {}
    : Object.fromEntries(
        offers(pause, info, command)
          .filter((offer) => !offer.offered)
          .map((offer) => [offer.action, offer.offered ? '' : offer.reason]),
      )

it('lists what waits, the longest first, and leaves out what was let go', () => {
  expect(waiters(picture).map((pause) => pause.name)).toEqual(['book', 'convert'])
})

it('says in words what waits and why', () => {
  expect(first && pauseTitle(first)).toBe('Paused before tool book')
  expect(first && whyItWaits(first)).toBe('Breakpoint: before any tool.')
  expect(second && pauseTitle(second)).toBe('Paused on an error in tool convert')
  expect(second && whyItWaits(second)).toBe('Error: convert broke')
})

it('says which of the agent’s own rules held a call, and what it saw', () => {
  const words = (smart: PausePicture['smart']) => first && smart && whyItWaits({ ...first, reason: 'breakpoint', smart })
  expect(words({ rule: 'error-result', detail: 'Its isError is true.' })).toBe(
    'The tool’s result says that it failed. Its isError is true.',
  )
  expect(words({ rule: 'error-result' })).toBe('The tool’s result says that it failed.')
  expect(words({ rule: 'truncated-tool-call' })).toMatch(/^The model was cut off while it asked for tools/)
  expect(words({ rule: 'later-rule', detail: 'Something.' })).toBe('The agent’s rule “later-rule” holds it. Something.')
})

describe('offers', () => {
  it('shows what the gate did not announce as disabled, with the reason', () => {
    expect(unavailable()).toEqual({
      retry: 'Nothing has run yet, so there is nothing to retry.',
      inject: expect.stringContaining('can’t take a value'),
    })
  })

  it('offers everything at an error gate but an edit that nobody takes', () => {
    expect(Object.keys(unavailable(second))).toEqual(['edit'])
  })

  it('offers nothing while a command is on its way or taken, without a link, or for an imported run', () => {
    expect(Object.keys(unavailable(second, runInfo(), 'sent'))).toHaveLength(6)
    expect(Object.keys(unavailable(second, runInfo(), 'taken'))).toHaveLength(6)
    expect(Object.keys(unavailable(second, runInfo(), 'refused'))).toEqual(['edit'])
    expect(unavailable(second, runInfo({ live: false }))['continue']).toMatch(/link is down/)
    expect(unavailable(second, runInfo({ source: 'import' }))['abort']).toMatch(/imported/)
  })
})

describe('the actions at each point', () => {
  const gate = (at: string) => waiters(runFromText(`tool book 0- waits:10 editable${at}`).picture)[0]
  const points = { before: gate(''), after: gate(' at:after'), error: gate(' at:error') }

  it.each([
    ['continue', 'before', 'Run the call'],
    ['continue', 'after', 'Pass the result on'],
    ['continue', 'error', 'Let the error through'],
    ['step', 'before', 'Run the call, stop at the next point'],
    ['step', 'after', 'Pass the result on, stop at the next point'],
    ['step', 'error', 'Let the error through, stop at the next point'],
    ['retry', 'before', undefined],
    ['retry', 'after', 'Run the call again'],
    ['retry', 'error', 'Run the call again'],
    ['inject', 'before', 'Give an output and skip the call'],
    ['inject', 'after', 'Replace the output'],
    ['inject', 'error', 'Give an output instead of the error'],
    ['edit', 'before', 'Run the call with a changed input'],
    ['edit', 'after', 'Run the call again with a changed input'],
    ['edit', 'error', 'Run the call again with a changed input'],
    ['abort', 'before', 'End the run'],
    ['abort', 'after', 'End the run'],
    ['abort', 'error', 'End the run'],
  ] as const)('%s %s: %s', (action, point, effect) => {
    const pause = points[point]
    if (pause === undefined) throw new Error('Nothing is held in the pictured run.')
    const isOffered = offers(pause, runInfo(), undefined).some((offer) => offer.action === action && offer.offered)
    expect(isOffered ? effectWords(action, point) : undefined).toBe(effect)
  })
})

describe('releaseWords', () => {
  const release = { at: 1, action: 'continue', cause: 'viewer' } as const
  it('tells my own choice from another viewer’s', () => {
    expect(releaseWords(release, true)).toBe('Continued')
    expect(releaseWords(release, false)).toBe('Continued by another viewer')
    expect(releaseWords({ ...release, action: 'retry', edited: { after: {} } }, true)).toBe('Edited and retried')
    expect(releaseWords({ ...release, action: 'inject', operator: 'Ada' }, false)).toBe('Injected by Ada')
  })

  it('never tells a lost link or a time-out as a person’s choice', () => {
    expect(releaseWords({ ...release, cause: 'link-lost' }, true)).toBe('Let go: link lost')
    expect(releaseWords({ ...release, cause: 'timeout' }, false)).toBe('Let go: the hold timed out')
  })
})

it('tells held time apart from work', () => {
  const search = picture.instances.get('search1')
  expect(search && timingOf(picture, search, START + 5000)).toEqual({ workMs: 90, heldMs: 100, open: false })
  const { picture: failed } = runFromText('tool book 210- waits:230 at:error')
  const book = failed.instances.get('book1')
  expect(book && timingOf(failed, book, START + 330)).toEqual({ workMs: 20, heldMs: 100, open: true })
})

it('says of no call that it took 0 ms before it has begun', () => {
  const book = picture.instances.get('book1')
  expect(book && timingOf(picture, book, START + 330)).toEqual({ workMs: undefined, heldMs: 100, open: true })
})

it('counts the holds of inner calls as held time of the outer one', () => {
  const planner = picture.instances.get('planner1')
  expect(planner && timingOf(picture, planner, START + 330)).toEqual({ workMs: 130, heldMs: 200, open: true })
})

it('counts calls held side by side once in the run’s held time', () => {
  expect(runHeldMs(picture, START + 330)).toBe(100 + 100)
})
