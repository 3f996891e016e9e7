import { describe, expect, it } from 'vitest'
import { activeSwitches, isEnabled, isOn, readHideSwitches } from './switches.ts'

describe('the kill switches', () => {
  it.each<[string, boolean | undefined, Record<string, string>, boolean]>([
    ['nothing set', undefined, {}, true],
    ['production', undefined, { NODE_ENV: 'production' }, false],
    ['production with GRAPHMIND=1', undefined, { NODE_ENV: 'production', GRAPHMIND: '1' }, true],
    ['production with another GRAPHMIND', undefined, { NODE_ENV: 'production', GRAPHMIND: '0' }, false],
    ['the option in production', true, { NODE_ENV: 'production' }, true],
    ['the option turned off', false, { GRAPHMIND: '1' }, false],
    ['GRAPHMIND_DISABLED against the option', true, { GRAPHMIND_DISABLED: '1', GRAPHMIND: '1' }, false],
    ['GRAPHMIND_DISABLED=0', undefined, { GRAPHMIND_DISABLED: '0' }, true],
    ['another NODE_ENV', undefined, { NODE_ENV: 'test' }, true],
  ])('%s', (_what, option, environment, expected) => {
    expect(isEnabled(option, environment)).toBe(expected)
  })
})

describe('a privacy switch', () => {
  it.each([true, 1, '1', 'true', 'TRUE', 'yes', 'on', 'anything'])('is on for %j', (value) => {
    expect(isOn(value)).toBe(true)
  })

  it.each([undefined, false, 0, '', ' ', '0', 'false', 'False', 'off', 'no'])('is off for %j', (value) => {
    expect(isOn(value)).toBe(false)
  })

  it('can be turned on by code, but what the environment turned on stays on', () => {
    const hide = readHideSwitches(
      { hideInputs: false, hideToolResults: 'true' },
      { GRAPHMIND_HIDE_INPUTS: '1', GRAPHMIND_HIDE_TOOL_ARGS: 'TRUE' },
    )
    expect(activeSwitches(hide)).toEqual(['hideInputs', 'hideToolArgs', 'hideToolResults'])
  })
})
