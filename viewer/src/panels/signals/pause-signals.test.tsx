import { act, cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeViewer, renderPanel } from '../../testing/fake-viewer.tsx'
import { RUN_ID, runFromText } from '../../testing/run-from-text.ts'
import { runInfo } from '../../testing/run-info.ts'
import { usePauseSignals } from './pause-signals.ts'

/** What sounded, in hertz, and what the system was asked to tell. */
let sounded: number[]
let told: string[]
let hidden: boolean

class FakeAudio {
  readonly currentTime = 0
  readonly destination = {}
  createGain = () => ({ gain: { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() }, connect: (next: unknown) => next })
  createOscillator() {
    const frequency = { value: 0 }
    return { frequency, connect: (next: unknown) => next, start: () => sounded.push(frequency.value), stop: vi.fn() }
  }
}

class FakeNotification extends EventTarget {
  static permission: NotificationPermission = 'granted'
  constructor(title: string) {
    super()
    told.push(title)
  }
}

beforeEach(() => {
  localStorage.clear()
  sounded = []
  told = []
  hidden = true
  FakeNotification.permission = 'granted'
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('Notification', FakeNotification)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">'
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function Signals() {
  usePauseSignals()
  return null
}

const icon = () => document.querySelector('link[rel="icon"]')?.getAttribute('href')

function signals(wanted: { readonly sound: boolean; readonly notification: boolean }) {
  const viewer = fakeViewer(runFromText('agent planner 0-'))
  viewer.workbench.setState({ signals: wanted })
  renderPanel(<Signals />, viewer)
  return (held: number) => act(() => viewer.store.setState({ runs: new Map([[RUN_ID, runInfo({ name: 'planner', held })]]) }))
}

it('badges the tab’s icon as long as a call of any run is held', () => {
  const holds = signals({ sound: false, notification: false })
  expect(icon()).toBe('/favicon.svg')
  holds(1)
  expect(icon()).toBe('/favicon-held.svg')
  holds(0)
  expect(icon()).toBe('/favicon.svg')
})

it('sounds and notifies once for each new hold, for those who asked', () => {
  const holds = signals({ sound: true, notification: true })
  holds(1)
  holds(1)
  expect([sounded, told]).toEqual([[660, 880], ['⏸ planner']])
  holds(0)
  holds(1)
  expect([sounded.length, told.length]).toEqual([4, 2])
})

it('is silent for those who did not ask', () => {
  signals({ sound: false, notification: false })(1)
  expect([sounded, told]).toEqual([[], []])
})

it('notifies nobody who looks at the page, and not without the browser’s permission', () => {
  const holds = signals({ sound: false, notification: true })
  hidden = false
  holds(1)
  hidden = true
  FakeNotification.permission = 'denied'
  holds(0)
  holds(1)
  expect(told).toEqual([])
})
