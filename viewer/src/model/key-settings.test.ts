import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../commands.ts'
import { DEFAULT_KEYS, isLetter, keysFor, pressOf, readKeySettings, shownKey } from './key-settings.ts'

const command = { id: 'pause.continue', keys: ['c', 'F8'] }

describe('the keys of a command', () => {
  it.each([
    [DEFAULT_KEYS, ['c', 'F8']],
    [{ letters: false, own: {} }, ['F8']],
    [{ letters: true, own: { 'pause.continue': 'x' } }, ['x']],
    [{ letters: false, own: { 'pause.continue': 'Alt+x' } }, ['Alt+x']],
    [{ letters: true, own: { 'pause.continue': '' } }, []],
    [{ letters: true, own: { 'pause.step': 'c' } }, ['c', 'F8']],
  ])('with %j are %j', (settings, keys) => {
    expect(keysFor(command, settings)).toEqual(keys)
  })

  it('are letters when they could be part of a word', () => {
    expect(['c', 'Shift+b', '?', '1', 'g r'].map(isLetter)).toEqual([true, true, true, true, true])
    expect(['F8', 'Shift+F8', 'Alt+ArrowUp', 'Mod+k', 'Escape', 'Shift+ArrowLeft'].some(isLetter)).toBe(false)
  })

  it.each([
    ['c', 'C'],
    ['Shift+F8', '⇧F8'],
    ['Alt+ArrowDown', '⌥↓'],
    ['g r', 'G then R'],
    ['Mod+k', 'Ctrl K'],
    ['-', '−'],
  ])('%s is shown as %s', (key, shown) => expect(shownKey(key)).toBe(shown))

  it('are shown with the signs of a Mac on one', () => {
    expect(['Mod+k', 'Mod+Shift+z', 'Alt+ArrowUp', 'c'].map((key) => shownKey(key, true))).toEqual(['⌘K', '⇧⌘Z', '⌥↑', 'C'])
  })

  it('leave no command without one while letters are on, and no two with the same', () => {
    const keys = COMMANDS.flatMap((each) => keysFor(each, DEFAULT_KEYS))
    expect(new Set(keys).size).toBe(keys.length)
  })
})

it('takes a press as it can be pressed again on any layout', () => {
  const press = (key: string, more = {}) => pressOf({ key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...more })
  expect(press('K', { shiftKey: true, ctrlKey: true })).toBe('Mod+Shift+k')
  expect(press('?', { shiftKey: true })).toBe('?')
  expect(press('ArrowUp', { altKey: true })).toBe('Alt+ArrowUp')
  for (const key of ['Shift', 'Tab', 'Enter', 'Escape']) expect(press(key)).toBeUndefined()
})

it('reads what is remembered, and nothing else', () => {
  expect(readKeySettings('{"letters":false,"own":{"a":"x","b":7}}')).toEqual({ letters: false, own: { a: 'x' } })
  expect(readKeySettings('{}')).toEqual(DEFAULT_KEYS)
  for (const text of ['', '[', '7', 'null']) expect(readKeySettings(text)).toBeUndefined()
})
