import { describe, expect, it } from 'vitest'
import { readSelection, runAddress } from './address.ts'
import { eventWords } from './event-words.ts'
import { causesIn, readStack } from './stack.ts'
import { jsonIn, withTextsParsed } from './values.ts'

it('puts the program’s own frames apart from those of libraries and the runtime', () => {
  const frames = readStack(
    'TypeError: no\n    at convert (/app/tools.mjs:4:9)\n    at run (/app/node_modules/ai/index.js:1:2)\n    at node:internal/process:1:1',
  )
  expect(frames.map((frame) => frame.own)).toEqual([true, false, false])
})

it('reads the errors behind an error from its trace', () => {
  const stack =
    'Error: no\n    at a (/app/a.js:1:2)\n  [cause]: TypeError: odd\n    at b (/app/b.js:1:2)\nCaused by: java.io.IOException: gone'
  expect(causesIn(stack)).toEqual(['TypeError: odd', 'java.io.IOException: gone'])
  expect(causesIn('Error: no')).toEqual([])
})

it('keeps what is selected and shown in the address, and leaves out what it does not know', () => {
  const plain = {
    instanceId: undefined,
    tab: undefined,
    view: undefined,
    asOf: undefined,
    look: {},
    range: undefined,
    find: '',
    onlyFound: false,
  }
  expect(runAddress('run 1', { instanceId: 'a&b', tab: 'raw' })).toBe('/run/run%201?instance=a%26b&tab=raw')
  expect(readSelection('?instance=a%26b&tab=raw&view=both&asOf=12')).toEqual({
    ...plain,
    instanceId: 'a&b',
    tab: 'raw',
    view: 'both',
    asOf: 12,
  })
  expect(readSelection('tab=nonsense&view=3d&asOf=-1&look=upside.constructor&range=9~3&only=yes')).toEqual(plain)
  const rich = {
    ...plain,
    look: { direction: 'down', paths: false, order: true },
    range: [-2.5, 1200.125],
    find: 'tool a',
    onlyFound: true,
  } as const
  expect(readSelection(runAddress('run', rich).split('?')[1] ?? '')).toEqual(rich)
})

describe('texts that hold JSON', () => {
  it('are what they hold, and other texts are not', () => {
    expect(jsonIn(' {"a": [1]} ')).toEqual({ a: [1] })
    for (const text of ['{"a": ', '12', '"text"', '[draft] a title', '']) expect(jsonIn(text)).toBeUndefined()
  })

  it('are opened wherever they stand in a value, also in each other', () => {
    const inner = JSON.stringify({ deep: JSON.stringify([1, 2]) })
    expect(withTextsParsed({ plain: 'text', list: [inner] })).toEqual({ value: { plain: 'text', list: [{ deep: [1, 2] }] }, parsed: 2 })
    expect(withTextsParsed('plain')).toEqual({ value: 'plain', parsed: 0 })
  })
})

describe('eventWords', () => {
  const say = (type: string, payload: object) => eventWords({ gm: 1, seq: 1, ts: 1, runId: 'r', type, payload })
  it('tells who let a call go, and never a lost link as a choice', () => {
    expect(say('exec.resumed', { action: 'inject', injected: { output: 1 }, principal: 'viewer' })).toBe(
      'Let go: inject with an injected value by viewer',
    )
    expect(say('exec.resumed', { action: 'continue', cause: 'link-lost', heldMs: 5000 })).toBe('Let go by itself: link lost after 5 s')
  })
  it('tells an event it does not know by its type', () => expect(say('agent.dreamt', {})).toBe('agent.dreamt'))
})
