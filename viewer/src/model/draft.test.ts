import { REDACTED } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { draftStart, dropDrafts, loadDraft, readDraft, saveDraft, wrapAsText } from './draft.ts'
import { waiters } from './pauses.ts'

function startOf(kind: 'inject' | 'edit', text: string) {
  const { picture } = runFromText(text)
  const pause = waiters(picture)[0]
  if (pause === undefined) throw new Error('Nothing waits in the picture.')
  return draftStart(kind, pause, picture)
}

describe('draftStart', () => {
  it('starts an inject at a failure with the last result of that node', () => {
    const start = startOf(
      'inject',
      `tool convert 0-10
       tool convert 20-30
       tool convert 40- waits:45 at:error`,
    )
    expect(JSON.parse(start.text)).toEqual({ answer: 'convert2' })
    expect(start.source).toBe('Starts from the last result of convert.')
  })

  it('starts with null where the node has given nothing yet', () => {
    expect(startOf('inject', 'tool convert 0- waits:5 at:error').text).toBe('null')
  })

  it('never starts with a hidden value', () => {
    const { picture } = runFromText(`
      tool convert 0-10
      tool convert 40- waits:45 at:error editable`)
    const [pause] = waiters(picture)
    const [first, second] = picture.instances.values()
    if (pause === undefined || first === undefined || second === undefined) throw new Error('Nothing waits in the picture.')
    const hidden = {
      ...picture,
      instances: new Map([
        ['convert1', { ...first, output: REDACTED }],
        ['convert2', second],
      ]),
    }
    expect(draftStart('inject', pause, hidden).text).toBe('null')
    expect(draftStart('edit', { ...pause, input: REDACTED }, picture)).toMatchObject({ text: '{}', base: undefined })
    expect(draftStart('inject', { ...pause, point: 'after', output: REDACTED }, picture)).toMatchObject({ text: 'null', base: undefined })
  })

  it('starts an edit with the input of the call', () => {
    expect(JSON.parse(startOf('edit', 'tool convert 0- waits:5 editable').text)).toEqual({ call: 'convert1' })
  })
})

describe('readDraft', () => {
  it.each(['42', '"text"', 'null', '{"ok": true}', ' [1, 2] '])('takes the JSON %s', (text) => {
    expect(readDraft('inject', text)).toEqual({ ok: true, value: JSON.parse(text) })
  })

  it('marks text that is not JSON, and offers to make it a JSON text', () => {
    expect(readDraft('inject', '42 euros')).toMatchObject({ ok: false, wrappable: true })
    expect(readDraft('inject', wrapAsText('42 "euros"'))).toEqual({ ok: true, value: '42 "euros"' })
  })

  it('sends no hidden or cut value back', () => {
    expect(readDraft('inject', '{"key": "__REDACTED__"}')).toMatchObject({ ok: false, problem: expect.stringContaining('hidden') })
    expect(readDraft('inject', '"abc…[graphmind: truncated]"')).toMatchObject({ ok: false, problem: expect.stringContaining('cut off') })
  })

  it('takes only an object for an edited input', () => {
    expect(readDraft('edit', '42')).toMatchObject({ ok: false, wrappable: false })
    expect(readDraft('edit', '{"q": 1}')).toEqual({ ok: true, value: { q: 1 } })
  })
})

describe('kept drafts', () => {
  it('come back for their own pause and kind, and go when the pause is over', () => {
    localStorage.clear()
    saveDraft(localStorage, 'run', 'p1', 'inject', '{ "spaces and\nlines": 1 }', 5)
    expect(loadDraft(localStorage, 'run', 'p1', 'inject')).toBe('{ "spaces and\nlines": 1 }')
    expect(loadDraft(localStorage, 'run', 'p1', 'edit')).toBeUndefined()
    dropDrafts(localStorage, 'run', 'p1')
    expect(loadDraft(localStorage, 'run', 'p1', 'inject')).toBeUndefined()
  })

  it('stay few: the oldest go first', () => {
    localStorage.clear()
    for (let at = 0; at < 40; at += 1) saveDraft(localStorage, 'run', `p${at}`, 'inject', 'x', at)
    expect(localStorage.length).toBe(30)
    expect(loadDraft(localStorage, 'run', 'p9', 'inject')).toBeUndefined()
    expect(loadDraft(localStorage, 'run', 'p39', 'inject')).toBe('x')
  })
})
