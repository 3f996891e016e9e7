import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Router, useLocation, useSearch } from 'wouter'
import { createPageAddress, type PageAddress } from './page-address.ts'

let now: number
let timers: { readonly at: number; readonly callback: () => void }[]
let refuses: boolean
let address: PageAddress
let navigate: (to: string, options?: { replace?: boolean }) => void
let shown: string
const written: string[] = []

function Probe() {
  const [path, go] = useLocation()
  navigate = go
  shown = `${path}?${useSearch()}`
  return null
}

beforeEach(() => {
  now = 0
  timers = []
  refuses = false
  window.history.replaceState(null, '', '/run/1')
  const take = (kind: string) => (_state: unknown, _title: string, to?: string | URL | null) => {
    if (refuses) throw new DOMException('Attempt to use history.replaceState() more than 100 times per 30 seconds', 'SecurityError')
    written.push(`${kind} ${String(to)}`)
  }
  vi.spyOn(window.history, 'replaceState').mockImplementation(take('replace'))
  vi.spyOn(window.history, 'pushState').mockImplementation(take('push'))
  address = createPageAddress(window, {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  })
  render(
    <Router hook={address.hook} searchHook={address.searchHook}>
      <Probe />
    </Router>,
  )
})
afterEach(() => {
  cleanup()
  address.stop()
  vi.restoreAllMocks()
  written.length = 0
})

const go = (to: string, replace = true) => act(() => navigate(to, { replace }))
function pass(ms: number): void {
  now += ms
  for (const due of timers.filter(({ at }) => at <= now)) {
    timers = timers.filter((timer) => timer !== due)
    due.callback()
  }
}

describe('the address of the page', () => {
  it('stays under 100 written addresses in 30 s while a key is held down, shows each at once, and ends at the last', () => {
    for (let press = 1; press <= 900; press += 1) {
      go(`/run/1?instance=${press}`)
      expect(shown).toBe(`/run/1?instance=${press}`)
      pass(1000 / 30)
    }
    pass(1000)
    expect(written.length).toBeGreaterThan(50)
    expect(written.length).toBeLessThan(100)
    expect(written.at(-1)).toBe('replace /run/1?instance=900')
    expect(timers).toEqual([])
  })

  it('writes what a person changes at once, one after the other', () => {
    for (let press = 1; press <= 20; press += 1) go(`/run/1?instance=${press}`)
    expect(written).toHaveLength(20)
    go('/run/1?instance=21')
    expect(written).toHaveLength(20)
    pass(400)
    expect(written.at(-1)).toBe('replace /run/1?instance=21')
  })

  it('goes to another page at once, with what was shown before it as the way back', () => {
    go('/run/1?instance=1')
    go('/run/1?instance=2')
    go('/compare/1/2', false)
    expect(written).toEqual(['replace /run/1?instance=1', 'replace /run/1?instance=2', 'push /compare/1/2'])
    expect(timers).toEqual([])
  })

  it('is shown all the same when the browser takes no more, and written once it does', () => {
    const told = vi.spyOn(console, 'info').mockReturnValue()
    refuses = true
    go('/breakpoints', false)
    pass(1000)
    go('/breakpoints?tab=2')
    expect(shown).toBe('/breakpoints?tab=2')
    expect(written).toEqual([])
    refuses = false
    pass(1000)
    expect(written).toEqual(['push /breakpoints?tab=2'])
    expect(told).toHaveBeenCalled()
  })

  /** As many changes as are written at once. */
  function spendWhatIsFree(): void {
    for (let press = 1; press <= 20; press += 1) go('/run/1?instance=1')
    written.length = 0
  }

  it('is written before the page is left', () => {
    spendWhatIsFree()
    go('/run/1?instance=2')
    expect(written).toEqual([])
    window.dispatchEvent(new Event('pagehide'))
    expect(written.at(-1)).toBe('replace /run/1?instance=2')
  })

  it('follows the browser back and forgets what waited', () => {
    spendWhatIsFree()
    go('/run/1?instance=2')
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
    pass(1000)
    expect(shown).toBe('/run/1?')
    expect(written).toEqual([])
  })
})
