import { describe, expect, it } from 'vitest'
import type { RunInfo } from '../run-info.ts'
import { matchesRun } from './matches-run.ts'
import { parseQuery } from './parse-query.ts'
import { readRunSort } from './sort.ts'

const NOW = 1_000_000
const RUN: RunInfo = {
  id: 'abc123',
  app: 'Trip-Planner',
  name: 'Büro plan',
  startedAt: NOW - 60_000,
  finishedAt: NOW - 55_000,
  durationMs: 5_000,
  heldMs: 0,
  status: 'ok',
  schemaVersion: 1,
  source: 'live',
  category: 'agent',
  eventCount: 9,
  errorCount: 1,
  spanCount: 4,
  nodeCount: 2,
  live: false,
  held: 0,
  usage: { inputTokens: 900, outputTokens: 101, costUsd: 0.25 },
  costUsd: 0.25,
  models: ['gpt-4o-mini'],
  kinds: ['agent', 'tool'],
  nodeNames: ['search_flights', 'planner'],
  pinned: false,
  tags: ['slow', 'to do'],
  sessionId: 'chat-17',
  traceIds: [],
}
const matches = (query: string, change: Partial<RunInfo> = {}) => {
  const { terms, problems } = parseQuery(query)
  expect(problems).toEqual([])
  return matchesRun(terms, { ...RUN, ...change }, NOW)
}

describe('a run', () => {
  it.each([
    'state:ok',
    'state:ended',
    '-state:running,paused',
    'link:detached',
    'kind:tool kind:agent',
    'name:search*',
    'name:BÜRO',
    'name:=planner',
    'error:true',
    'since:1m',
    'cost:>0.1 cost:<=0.25',
    'tokens:1001',
    'duration:5s',
    'model:gpt-4o',
    'source:live,demo',
    'session:chat',
    'tag:"to do"',
    'app:trip*',
    'pinned:false',
    'category:agent',
    'abc flights mini slow chat-17',
    '-nothing',
  ])('meets %s', (query) => {
    expect(matches(query)).toBe(true)
    const [first] = parseQuery(query).terms
    if (parseQuery(query).terms.length === 1) expect(matches(first?.negated === true ? query.slice(1) : `-${query}`)).toBe(false)
  })

  it.each(['state:error', 'kind:llm', 'name:search', 'tag:=slo', 'since:59s', 'cost:>0.25', 'model:=gpt-4o', 'pinned:true', 'trip none'])(
    'does not meet %s',
    (query) => {
      expect(matches(query, { nodeNames: [] })).toBe(false)
    },
  )

  it('is paused while a call is held, whatever else it is', () => {
    expect([matches('state:paused', { held: 1, status: 'running' }), matches('state:running', { held: 1, status: 'running' })]).toEqual([
      true,
      false,
    ])
  })

  it('is attached before it is imported', () => {
    expect([matches('link:attached', { live: true, source: 'import' }), matches('link:imported', { source: 'import' })]).toEqual([
      true,
      true,
    ])
  })

  it('without a cost is neither dear nor cheap, and not free', () => {
    const { costUsd: _cost, usage: _usage, ...rest } = RUN
    const without = (query: string) => matchesRun(parseQuery(query).terms, rest, NOW)
    expect([without('cost:>0'), without('cost:<1'), without('cost:0'), without('-cost:>0'), without('tokens:<5')]).toEqual([
      false,
      false,
      false,
      true,
      false,
    ])
  })

  it('that still runs has lasted until now', () => {
    expect(matches('duration:60s', { durationMs: null, finishedAt: null })).toBe(true)
  })

  it('has not lasted while its calls were held, also while one still is', () => {
    expect(matches('duration:3s', { heldMs: 2_000 })).toBe(true)
    const held = { durationMs: null, finishedAt: null, heldMs: 10_000 }
    expect([matches('duration:50s', held), matches('duration:45s', { ...held, heldSince: NOW - 5_000 })]).toEqual([true, true])
  })
})

it('reads the order of the list', () => {
  expect([readRunSort('-started'), readRunSort('cost'), readRunSort('size'), readRunSort('')]).toEqual([
    { column: 'started', direction: 'descending' },
    { column: 'cost', direction: 'ascending' },
    undefined,
    undefined,
  ])
})
