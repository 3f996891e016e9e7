import { completeQuery, parseQuery } from '@graphmind-ai/schema'
import { describe, expect, it } from 'vitest'
import { runInfo } from '../testing/run-info.ts'
import { filterWords, withSuggestion, wordsOf } from './filter-words.ts'
import { nextSort, RUN_COLUMNS } from './run-columns.ts'
import { askedFilter, filterPieces, filterValue, leftOutFilter, sessionFilter } from './run-filter.ts'
import { matchingIds, type RunPages, shownRuns, withNews, withNextPage } from './run-pages.ts'
import { readRunsAddress, runsAddress } from './runs-address.ts'
import { readSavedFilters, withSavedFilter } from './saved-filters.ts'
import { snippetParts } from './snippet-parts.ts'
import { readTags } from './tags.ts'

describe('the rows', () => {
  const a = runInfo({ id: 'a', startedAt: 2 })
  const b = runInfo({ id: 'b', startedAt: 1 })
  const pages: RunPages = { rows: [a, b], nextCursor: undefined, counts: undefined, hiddenOther: 0, seen: new Set(['a', 'old']) }
  const { terms } = parseQuery('state:running')
  const shown = (live: readonly ReturnType<typeof runInfo>[], removed: readonly string[] = [], current?: string) => {
    const { rows, news } = shownRuns(
      pages,
      { runs: new Map(live.map((run) => [run.id, run])), removed: new Set(removed) },
      terms,
      0,
      current,
    )
    return { rows: rows.map(({ id, nodeCount }) => `${id}${nodeCount}`), news: news.map(({ id }) => id) }
  }

  it('take new values in place, and stay where nothing was heard of them', () => {
    expect(shown([{ ...b, nodeCount: 7 }])).toEqual({ rows: ['a1', 'b7'], news: [] })
  })

  it('leave when they no longer meet the filter, were removed or joined to another, but for the one that is worked with', () => {
    expect(shown([{ ...a, status: 'ok' }]).rows).toEqual(['b1'])
    expect(shown([{ ...a, status: 'ok' }], [], 'a').rows).toEqual(['a1', 'b1'])
    expect(shown([], ['a'], 'a').rows).toEqual(['b1'])
    expect(shown([{ ...a, mergedInto: 'b' }]).rows).toEqual(['b1'])
  })

  it('tell apart what came since from what stands further down', () => {
    const live = ['new', 'newer', 'old'].map((id, at) => runInfo({ id, startedAt: 10 + at }))
    expect(shown([...live, runInfo({ id: 'ended', status: 'ok' })]).news).toEqual(['newer', 'new'])
    expect(matchingIds([a, { ...b, status: 'ok' }], terms, 0)).toEqual(new Set(['a']))
  })

  it('go on with the next page and begin with what came since, each once', () => {
    const next = withNextPage(pages, [b, runInfo({ id: 'c' })], 'more')
    expect(next.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(next.nextCursor).toBe('more')
    expect(withNews(pages, [runInfo({ id: 'n' }), a]).rows.map(({ id }) => id)).toEqual(['n', 'a', 'b'])
  })
})

describe('the filter line', () => {
  it('leaves plain web traffic out, unless it is wanted or named', () => {
    expect(askedFilter('', false)).toBe('category:agent')
    expect(askedFilter('name:x', false)).toBe('name:x category:agent')
    expect(leftOutFilter('name:x', false)).toBe('category:other')
    for (const [filter, other] of [
      ['name:x', true],
      ['category:other', false],
    ] as const) {
      expect(askedFilter(filter, other)).toBe(filter)
      expect(leftOutFilter(filter, other)).toBeUndefined()
    }
  })

  it.each(['', 'state:paused  name:"a b" word', 'stat:x -cost:>0.1,q error:', '"open', ' x '])(
    'is cut into pieces that are the text again: %s',
    (text) => {
      const pieces = filterPieces(text)
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      for (const { parts, text: whole, type } of pieces) if (type !== 'between') expect(parts.map((part) => part.text).join('')).toBe(whole)
    },
  )

  it('marks what can’t be read where it stands', () => {
    const wrong = filterPieces('name:x cost:>much').flatMap(({ parts }) => parts.filter(({ role }) => role === 'wrong'))
    expect(wrong).toEqual([{ start: 12, text: '>much', role: 'wrong' }])
  })

  it('writes values so that they are read as they are', () => {
    for (const text of ['chat-17', 'a b', 'x:y', '"q"', 'a*', '-1', '=x', 'back\\slash']) {
      const { terms, problems } = parseQuery(`tag:${filterValue(text)}`)
      expect(problems).toEqual([])
      expect(terms).toMatchObject([{ patterns: [{ match: 'contains', text }] }])
    }
    expect(sessionFilter('chat-17')).toBe('session:=chat-17')
    expect(sessionFilter('chat 17')).toBe('session:"chat 17"')
  })

  it('completes keys, their words, and what the runs have', () => {
    const words = wordsOf([runInfo({ tags: ['slow one'], models: ['gpt-4o'] })])
    const at = (text: string) => filterWords(completeQuery(text, text.length), words)
    expect(at('sta').map(({ insert }) => insert)).toEqual(['state:'])
    expect(at('state:pa').map(({ insert }) => insert)).toEqual(['paused'])
    expect(at('tag:sl').map(({ insert }) => insert)).toEqual(['"slow one"'])
    expect(at('model:gpt-4o')).toEqual([])
    const [state] = at('sta')
    expect(state && withSuggestion('sta', state)).toEqual({ text: 'state:', caret: 6 })
    const [paused] = at('state:pa')
    expect(paused && withSuggestion('state:pa', paused)).toEqual({ text: 'state:paused ', caret: 13 })
  })
})

it('sorts by the largest first, by texts from A on, and the other way at a second press', () => {
  const column = (id: string) => RUN_COLUMNS.find((each) => each.id === id) ?? RUN_COLUMNS[0]
  const press = (sort: string, id: string) => {
    const pressed = column(id)
    return pressed && nextSort(sort, pressed)
  }
  expect(press('-started', 'cost')).toBe('-cost')
  expect(press('-cost', 'cost')).toBe('cost')
  expect(press('cost', 'name')).toBe('name')
  expect(press('name', 'name')).toBe('-name')
})

it('keeps what the screen shows in the address, and leaves out what it does not know', () => {
  const full = { view: 'search', filter: 'a b', sort: '-cost', showOther: true, find: 'Orly "x"', fields: ['output'] } as const
  expect(readRunsAddress(runsAddress(full).slice(1))).toEqual(full)
  expect(runsAddress({})).toBe('/')
  expect(readRunsAddress('view=3d&sort=luck&other=maybe&in=nowhere')).toEqual(readRunsAddress(''))
})

it('reads remembered filters, keeps the newest of a name, and nothing else', () => {
  const one = { name: 'mine', filter: 'error:true', sort: '-cost' }
  expect(readSavedFilters(JSON.stringify([one, { name: 7 }, null]))).toEqual([one])
  for (const text of ['', '{}', 'null', '[7]']) expect(readSavedFilters(text)).toEqual([])
  expect(withSavedFilter([one], { ...one, filter: 'x' })).toEqual([{ ...one, filter: 'x' }])
})

it('cuts a snippet at what was found, however the places lie', () => {
  const told = (ranges: [number, number][]) =>
    snippetParts({ text: 'to Paris Orly', ranges }).map(({ text, found }) => (found ? `[${text}]` : text))
  expect(told([[3, 8]])).toEqual(['to ', '[Paris]', ' Orly'])
  expect(
    told([
      [9, 99],
      [3, 8],
      [5, 8],
    ]),
  ).toEqual(['to ', '[Paris]', ' ', '[Orly]'])
  expect(told([])).toEqual(['to Paris Orly'])
})

it('takes tags parted by commas, each once', () => {
  expect(readTags(' slow, , wrong rate,slow')).toEqual(['slow', 'wrong rate'])
})
