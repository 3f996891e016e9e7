import { CompletionContext } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { readShape } from '../../model/json-shape.ts'
import { completeField, shapeWarnings } from './shape-hints.ts'

const shape = readShape({
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where to' },
    nights: { type: 'integer' },
    mode: { enum: ['fast', 'slow'] },
    guests: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } }, required: ['name'] },
    },
  },
  required: ['city', 'nights'],
})

const stateOf = (doc: string) => EditorState.create({ doc, extensions: [json()] })
const warnings = (doc: string, kept: readonly string[] = []) =>
  shapeWarnings(stateOf(doc), { shape, kept }).map(({ from, to, message }) => [doc.slice(from, to), message])

describe('warnings', () => {
  it.each([
    ['{"city": "Oslo", "nights": 2, "mode": "slow", "guests": [{"name": "Ada", "age": 3.5}]}', []],
    ['{"city": "Oslo"}', [['{', 'Missing: nights.']]],
    ['{"city": "Oslo", "nights": 2, "cty": 1}', [['"cty"', 'No field “cty” is declared.']]],
    [
      '{"city": 7, "nights": 2.5}',
      [
        ['7', 'Expected string.'],
        ['2.5', 'Expected integer.'],
      ],
    ],
    ['{"city": "Oslo", "nights": 2, "mode": "swift"}', [['"swift"', 'Expected "fast" | "slow".']]],
    ['{"city": "Oslo", "nights": 2, "guests": [{"age": 3}]}', [['{', 'Missing: name.']]],
    ['[]', [['[]', 'Expected object.']]],
    ['{"city": ', [['{', 'Missing: nights.']]],
    ['', []],
  ])('of %s', (doc, expected) => {
    expect(warnings(doc)).toEqual(expected)
  })

  it('do not ask for a field that stays what it is', () => {
    expect(warnings('{"city": "Oslo"}', ['nights'])).toEqual([])
  })

  it('let an open object have what it likes', () => {
    const open = readShape({ properties: { a: {} }, additionalProperties: true })
    expect(shapeWarnings(stateOf('{"b": 1}'), { shape: open, kept: [] })).toEqual([])
  })

  it('leave a very long text alone', () => {
    expect(warnings(`{"cty": "${'x'.repeat(199_970)}"}`)).toHaveLength(2)
    expect(warnings(`{"cty": "${'x'.repeat(200_000)}"}`)).toEqual([])
  })
})

describe('completion', () => {
  /** The text with the first completion taken, `|` being the cursor. */
  const completed = (text: string, explicit = false) => {
    const pos = text.indexOf('|')
    const doc = text.replace('|', '')
    const result = completeField(new CompletionContext(stateOf(doc), pos, explicit), shape)
    const [first] = result?.options ?? []
    if (result === null || first === undefined) return undefined
    return {
      names: result.options.map(({ displayLabel }) => displayLabel),
      text: `${doc.slice(0, result.from)}${first.apply as string}${doc.slice(result.to)}`,
    }
  }

  it.each([
    ['{"ci|', ['city', 'nights', 'mode', 'guests'], '{"city": '],
    ['{"|": 1}', ['city', 'nights', 'mode', 'guests'], '{"city": 1}'],
    ['{"city": "Oslo", ni|}', ['nights', 'mode', 'guests'], '{"city": "Oslo", "nights": }'],
    ['{"guests": [{"n|"}]}', ['name', 'age'], '{"guests": [{"name": }]}'],
  ])('offers in %s the fields that are not there yet', (text, names, taken) => {
    expect(completed(text)).toEqual({ names, text: taken })
  })

  it.each(['{"city": "|"}', '{"city": |}', '{"city": "Oslo, n|"}', '{"guests": [|]}', '{|}', '{"x": {"|"}}'])(
    'offers nothing in %s',
    (text) => {
      expect(completed(text)).toBeUndefined()
    },
  )

  it('offers all when asked, also where no letter is', () => {
    expect(completed('{|}', true)?.names).toEqual(['city', 'nights', 'mode', 'guests'])
  })
})
