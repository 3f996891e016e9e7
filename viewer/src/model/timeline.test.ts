import { createEnvelope, foldEnvelope, type RunPicture } from '@graphmind-ai/schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RUN_ID, runFromText, START } from '../testing/run-from-text.ts'
import { barOf } from './bars.ts'
import { findCalls } from './find-calls.ts'
import { OVERVIEW_COLUMNS, overviewPaths } from './overview.ts'
import { ticks, timeAxis } from './time-axis.ts'
import { listRows } from './tree-rows.ts'

const NONE: ReadonlySet<string> = new Set()

describe('the time axis', () => {
  it('is as long as the run when nothing rests', () => {
    const { picture } = runFromText('agent a 0-900\n  tool b 100-200')
    const axis = timeAxis(picture, START + 5000)
    expect(axis).toMatchObject({ start: START, length: 900, folds: [] })
    expect(axis.toAxis(START + 450)).toBe(450)
  })

  it('folds a long hold, also around the calls that contain it, and marks it as one', () => {
    const { picture } = runFromText('agent a 0-61000\n  tool b 100-60200 paused:200-60200')
    const axis = timeAxis(picture, START + 61_000)
    expect(axis.folds).toMatchObject([{ from: START + 200, to: START + 60_200, held: true }])
    expect(axis.length).toBeLessThan(1100)
    expect(axis.toAxis(START + 61_000)).toBeCloseTo(axis.length)
  })

  it('folds a hold that still lasts, so that what ran stays readable', () => {
    const { picture } = runFromText('agent a 0-\n  tool b 100- waits:200')
    expect(timeAxis(picture, START + 3_600_000).length).toBeLessThan(300)
  })

  it('folds idle time between roots, but no short rest', () => {
    const { picture } = runFromText('agent a 0-100\nagent b 1000-1100\nagent c 9000-9100')
    expect(timeAxis(picture, START + 9100).folds).toMatchObject([{ from: START + 1100, to: START + 9000, held: false }])
  })

  it('is the same whichever call came first', () => {
    const stretches = fc.array(fc.tuple(fc.nat(60_000), fc.nat(9000)), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(stretches, (drawn) => {
        const { picture } = runFromText(drawn.map(([from, length], nth) => `agent a${nth}. ${from}-${from + length}`).join('\n'))
        const axisOf = (order: readonly number[]) => {
          const told = order.flatMap((nth) => picture.instances.get(`a${nth}.1`) ?? [])
          expect(told).toHaveLength(drawn.length)
          const { start, length, folds } = timeAxis({ ...picture, instances: new Map(told.map((one) => [one.id, one])) }, START + 99_000)
          return { start, length, folds }
        }
        const asDrawn = drawn.map((_, nth) => nth)
        const byStart = asDrawn.toSorted((one, other) => (drawn[one]?.[0] ?? 0) - (drawn[other]?.[0] ?? 0))
        expect(axisOf(asDrawn)).toEqual(axisOf(byStart))
      }),
    )
  })

  it('gives each time its place and back', () => {
    const { picture } = runFromText('agent a 0-100\nagent b 5000-5100\nagent c 9000-9100')
    const axis = timeAxis(picture, START + 9100)
    for (const at of [0, 50, 100, 2500, 5000, 5050, 8000, 9100]) expect(axis.toTime(axis.toAxis(START + at))).toBeCloseTo(START + at, 3)
  })

  it('has marks at round times', () => {
    expect(ticks(0, 900, 5)).toEqual([0, 200, 400, 600, 800])
    expect(ticks(130, 40, 4)).toEqual([130, 140, 150, 160, 170])
  })
})

const timelineRows = (picture: RunPicture, folded: ReadonlySet<string>, opened: ReadonlySet<string>) =>
  listRows(picture, { folded, opened, mostAlike: 5 }).rows

describe('timeline rows', () => {
  const { picture } = runFromText(`
    agent a 0-900
      llm draft 0-10
${Array.from({ length: 7 }, (_, index) => `      tool search ${20 + index}-${30 + index}`).join('\n')}
      llm draft 40-50`)

  it('fold more than five like calls that follow each other', () => {
    const rows = timelineRows(picture, NONE, NONE)
    expect(rows.map((row) => (row.type === 'group' ? `${row.name} ×${row.instanceIds.length}` : row.key))).toEqual([
      'a1',
      'draft1',
      'search ×7',
      'draft2',
    ])
    const group = rows[2]?.key ?? ''
    expect(timelineRows(picture, NONE, new Set([group])).map((row) => row.level)).toEqual([1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 2])
  })

  it('hide what is in a folded call', () => {
    expect(timelineRows(picture, new Set(['a1']), NONE)).toHaveLength(1)
  })

  it('gather what names a parent that has not come under a heading, after all else, until it comes', () => {
    const { picture: run } = runFromText('tool search 0-10 under:late\nllm draft 20-30 under:late\n  tool book 25-28\nagent a 50-60')
    const lines = () => timelineRows(run, NONE, NONE).map((row) => `${'  '.repeat(row.level - 1)}${row.key.trim()}`)
    expect(lines()).toEqual(['a1', 'orphans', '  search1', '  draft1', '    book1'])
    expect(timelineRows(run, NONE, NONE)[1]).toMatchObject({ type: 'heading', count: 2 })
    const started = { nodeId: 'agent:late', instanceId: 'late', kind: 'agent', name: 'late' } as const
    foldEnvelope(run, createEnvelope('node.started', started, { runId: RUN_ID, seq: 99, ts: START }))
    expect(lines()).toEqual(['late', '  search1', '  draft1', '    book1', 'a1'])
  })

  it('are found by every word of name, kind and state, in the order of the tree', () => {
    expect(findCalls(picture, 'LLM draft')).toEqual(['draft1', 'draft2'])
    expect(findCalls(picture, '  ')).toEqual([])
  })
})

it('draws a bar with its holds and marks, and a clock that differs as told', () => {
  const { picture, envelopes } = runFromText('agent a 100-900\n  tool b 40-500 error paused:200-300')
  const instance = picture.instances.get('b1')
  if (instance === undefined) throw new Error('The pictured call is missing.')
  const bar = barOf(picture, instance, envelopes, START + 900)
  expect(bar).toMatchObject({ from: START + 40, to: START + 500, held: [[START + 200, START + 300]], skewMs: 60 })
  expect(bar.ticks.map((tick) => tick.title)).toEqual(['Error'])
})

it.each([
  ['begins before its caller', '  tool b 40-500', 60],
  ['begins after its caller ended', '  tool b 950-960', 60],
  ['ends after its caller', '  tool b 200-1900', 1000],
  ['runs on after its caller ended', '  tool b 200-', 0],
  ['is as long as its caller, but for what rounding makes', '  tool b 99-901', 0],
  ['is off by the least that is no rounding', '  tool b 98-200', 2],
])('measures how far a call that %s is outside its time', (_, line, skewMs) => {
  const { picture } = runFromText(`agent a 100-900\n${line}`)
  const instance = picture.instances.get('b1')
  if (instance === undefined) throw new Error('The pictured call is missing.')
  expect(barOf(picture, instance, [], START + 5000)).toMatchObject({ skewMs })
})

it('draws the overview in a raster whose size does not grow with the run', () => {
  const tools = Array.from({ length: 3000 }, (_, index) => `  tool t ${index}-${index + 1}`).join('\n')
  const { picture } = runFromText(`agent a 0-3000\n${tools}`)
  const paths = overviewPaths(picture, timeAxis(picture, START + 3000), START + 3000)
  expect(paths.ran.length).toBeLessThan(OVERVIEW_COLUMNS * 30)
  expect(paths.held).toBe('')
})

it('marks log points, and not the hits of breakpoints that held', () => {
  const { picture } = runFromText('tool search 0-900')
  const instance = picture.instances.get('search1')
  if (instance === undefined) throw new Error('There is no search1.')
  const hit = (ts: number, logged?: true) =>
    createEnvelope('breakpoint.hit', { id: 'b', nodeId: 'tool:search', ...(logged ? { logged } : {}) }, { runId: RUN_ID, seq: ts, ts })
  expect(barOf(picture, instance, [hit(START + 1), hit(START + 2, true)], START + 900).ticks).toEqual([
    { at: START + 2, title: 'Log point', tone: 'log' },
  ])
})
