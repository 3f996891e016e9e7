import { createEnvelope, emptyRun, foldEnvelope } from '@graphmind-ai/schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growRows } from './grow-rows.ts'
import { listRows, type RowFolds, type RowList } from './tree-rows.ts'

const RUN_ID = 'run'

interface Call {
  readonly parent: number
  readonly node: number
  /** Ms by which it began before what came last. */
  readonly late: number
  /** Its parent comes later by this many calls, if so many come; undefined when it came before or there is none. */
  readonly lost: number | undefined
}

// Mostly the same node again, below one of the last calls, and seldom late: as live runs are.
const calls = fc.array(
  fc.record({
    parent: fc.oneof(fc.nat(3), fc.nat(40)),
    node: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
    late: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(30) }),
    lost: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 90 }) }),
  }),
  { minLength: 1, maxLength: 60 },
)
const picks = fc.array(fc.nat(60), { maxLength: 6 })
const folds = fc.record({ folded: picks, opened: picks, mostAlike: fc.constantFrom(2, 5, Number.POSITIVE_INFINITY) })

const idOf = (place: number) => `call ${place}`

function startOf({ parent, node, late, lost }: Call, place: number) {
  const ts = 1000 + place * 10 - late
  const above = place - 1 - parent
  const nodeId = `tool:${node}`
  const payload = { nodeId, kind: 'tool', name: `tool ${node}`, instanceId: idOf(place) } as const
  const parentInstanceId =
    lost !== undefined ? { parentInstanceId: idOf(place + lost) } : above < 0 ? {} : { parentInstanceId: idOf(above) }
  return createEnvelope('node.started', { ...payload, ...parentInstanceId }, { seq: place, ts, runId: RUN_ID })
}

describe('rows that grow with their run', () => {
  it('are those that are listed anew', () => {
    fc.assert(
      fc.property(calls, folds, fc.array(fc.nat(4), { minLength: 7, maxLength: 7 }), (drawn, picked, looks) => {
        const chosen: RowFolds = {
          folded: new Set(picked.folded.map(idOf)),
          opened: new Set(picked.opened.map((place) => `group ${idOf(place)}`)),
          mostAlike: picked.mostAlike,
        }
        const picture = emptyRun(RUN_ID)
        let list: RowList | undefined
        for (const [place, call] of drawn.entries()) {
          foldEnvelope(picture, startOf(call, place))
          if (looks[place % looks.length] !== 0) continue
          const before = list?.rows.slice()
          const grown: RowList = growRows(list, picture, chosen)
          expect(list?.rows).toEqual(before)
          expect(grown.rows).toEqual(listRows(picture, chosen).rows)
          list = grown
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('are the same object while nothing came', () => {
    const picture = emptyRun(RUN_ID)
    const none: RowFolds = { folded: new Set(), opened: new Set(), mostAlike: 5 }
    foldEnvelope(picture, startOf({ parent: 0, node: 0, late: 0, lost: undefined }, 0))
    const list = growRows(undefined, picture, none)
    expect(growRows(list, picture, none)).toBe(list)
  })
})
