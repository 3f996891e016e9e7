import { parseQuery } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { runInfo } from '../testing/run-info.ts'
import { fitOf, palettePlaces, runsWithWords } from './palette.ts'

const { picture } = runFromText(`
  agent planner    0-900
    llm  draft     10-300
    tool search    310-450
    llm  draft     460-880 `)
const runs = [runInfo({ id: 'r1', name: 'book trip' }), runInfo({ id: 'r2', name: 'search flights', mergedInto: 'r1' })]
const titles = (query: string) => palettePlaces(query, runs, picture, 0).map(({ type, title }) => `${type} ${title}`)

describe('places of the palette', () => {
  it('are runs after #, nodes after @, steps after :, and runs and nodes without a sign', () => {
    expect(titles('#trip')).toEqual(['run book trip'])
    expect(titles('@dra')).toEqual(['node draft'])
    expect(titles(':draft llm')).toEqual(['step draft', 'step draft'])
    expect(titles('r')).toEqual(['node planner', 'node draft', 'node search', 'run book trip'])
    expect([titles(''), titles('#search')]).toEqual([[], []])
  })

  it('are at most forty, however many there are', () => {
    const many = Array.from({ length: 100 }, (_, at) => runInfo({ id: `m${at}`, name: `many ${at}` }))
    expect(palettePlaces('#many', many, undefined, 0)).toHaveLength(40)
  })
})

it('puts first what is typed in full, then what begins with it, has a word that does, or holds it', () => {
  const titled = ['a research', 'do search', 'search more', 'search', 'nothing']
  expect(titled.toSorted((one, other) => fitOf(one, ['search']) - fitOf(other, ['search']))).toEqual([
    'search',
    'search more',
    'do search',
    'a research',
    'nothing',
  ])
})

it('asks the server for runs with these words, whatever is in them, and for none where steps or nodes are meant', () => {
  expect([runsWithWords('@x'), runsWithWords(':x'), runsWithWords('#'), runsWithWords('  ')]).toEqual(Array(4).fill(undefined))
  expect(runsWithWords('#book trip')).toBe('"book" "trip"')
  for (const typed of ['state:paused', 'a"b', '-x', '"', '\\', 'a,b', '='])
    expect(parseQuery(runsWithWords(typed) ?? '').problems, typed).toEqual([])
  expect(parseQuery(runsWithWords('state:paused -x') ?? '').terms.map(({ type, negated }) => [type, negated])).toEqual([
    ['text', false],
    ['text', false],
  ])
})
