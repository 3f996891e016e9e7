import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FULL_STORAGE } from '../testing/full-storage.ts'
import { keepOpened, withChoice } from './opened.ts'
import { createWorkbench } from './workbench.ts'

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.restoreAllMocks())

it('brings back what was opened and closed when the page is loaded again', () => {
  const before = createWorkbench()
  keepOpened(before, sessionStorage)
  before.setState({
    opened: new Map([
      ['llm reasoning', true],
      ['tool Input $.query', false],
    ]),
  })
  const after = createWorkbench()
  keepOpened(after, sessionStorage)
  expect([...after.getState().opened]).toEqual([
    ['llm reasoning', true],
    ['tool Input $.query', false],
  ])
})

it.each(['no JSON', '{"llm reasoning":true}', '[1,["llm reasoning","yes"],[]]'])('takes nothing from a storage that holds %s', (stored) => {
  sessionStorage.setItem('gm:opened', stored)
  const workbench = createWorkbench()
  keepOpened(workbench, sessionStorage)
  expect(workbench.getState().opened.size).toBe(0)
})

it('opens a part all the same when the tab’s storage is full', () => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  const workbench = createWorkbench()
  keepOpened(workbench, FULL_STORAGE)
  workbench.setState({ opened: new Map([['llm reasoning', true]]) })
  expect(workbench.getState().opened.get('llm reasoning')).toBe(true)
})

it('keeps the last 200 choices', () => {
  let opened: ReadonlyMap<string, boolean> = new Map()
  for (let at = 1; at <= 200; at += 1) opened = withChoice(opened, `part ${at}`, true)
  opened = withChoice(opened, 'part 1', false)
  expect(opened.size).toBe(200)
  opened = withChoice(opened, 'part 201', true)
  expect(opened.size).toBe(200)
  expect([opened.get('part 1'), opened.has('part 2'), opened.has('part 3')]).toEqual([false, false, true])
})

it('works where the browser gives no storage', () => {
  const workbench = createWorkbench()
  keepOpened(workbench, undefined)
  expect(workbench.getState().opened.size).toBe(0)
})
