import type { RunInfo } from '@graphmind-ai/schema'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOT_LIVE, type RunColumns } from '../store/reads/run-info.ts'
import { InProcessBus } from './bus.ts'

describe('what viewers hear of runs', () => {
  let bus: InProcessBus
  let heard: RunInfo[]
  beforeEach(() => {
    vi.useFakeTimers()
    heard = []
    bus = new InProcessBus(async () => undefined, NOT_LIVE)
    bus.onRunUpdate((run) => heard.push(run))
  })
  afterEach(() => {
    bus.stop()
    vi.useRealTimers()
  })
  const counts = (id: string) => heard.filter((run) => run.id === id).map(({ spanCount }) => spanCount)

  it('announces each quiet run at once, however busy another is', () => {
    bus.publishRun(row('busy', 1))
    bus.publishRun(row('busy', 2))
    bus.publishRun(row('new', 1))
    expect([counts('busy'), counts('new')]).toEqual([[1], [1]])
  })

  it('leaves out the states between while a run is busy, and always ends with the last', () => {
    for (let spans = 1; spans <= 50; spans++) bus.publishRun(row('busy', spans))
    vi.advanceTimersByTime(100)
    expect(counts('busy')).toEqual([1, 50])
    bus.publishRun(row('busy', 51))
    vi.advanceTimersByTime(100)
    expect(counts('busy')).toEqual([1, 50, 51])
    vi.advanceTimersByTime(100)
    bus.publishRun(row('busy', 52))
    expect(counts('busy').at(-1)).toBe(52)
  })

  it('announces a part of a flood of new runs at once and all of it soon, also beyond what it remembers', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => `run-${index}`)
    for (const id of ids) bus.publishRun(row(id, 1))
    expect(heard[0]?.id).toBe('run-0')
    expect(heard.length).toBeLessThan(5000)
    vi.advanceTimersByTime(100)
    expect(new Set(heard.map(({ id }) => id))).toEqual(new Set(ids))
  })
})

function row(id: string, spans: number): RunColumns {
  return {
    id,
    app: 'app',
    name: 'name',
    started_at: 0,
    finished_at: null,
    status: 'running',
    schema_version: 1,
    source: 'live',
    category: 'agent',
    event_count: spans,
    error_count: 0,
    span_count: spans,
    node_count: spans,
    usage: null,
    models: '[]',
    session_id: null,
    merged_into: null,
    kinds: '[]',
    node_names: '[]',
    title: null,
    tags: '[]',
    note: null,
    pinned: 0,
    waiting: 0,
    steps: spans,
    held_ms: 0,
    held_since: null,
  }
}
