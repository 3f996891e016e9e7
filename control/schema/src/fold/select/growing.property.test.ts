import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draw, facts, ids } from '../../test-support/drawn-run.ts'
import { normalised } from '../../test-support/normalised.ts'
import { envelopes, fold, RUN_ID, type StoryEvent } from '../../test-support/story.ts'
import { emptyRun, foldEnvelope } from '../fold.ts'
import { treeOf } from './tree.ts'

// Times close together, so that ties and late comers are common.
const stories = fc
  .array(fc.tuple(draw, fc.array(fc.nat(6), { minLength: 8, maxLength: 8 })), { minLength: 1, maxLength: ids.length })
  .chain((drawn) =>
    fc.shuffledSubarray(
      drawn.flatMap(([each, times], place) =>
        facts(ids[place] ?? 'a', each).map((event, nth): StoryEvent => ({ ...event, ts: 1000 + (times[nth % times.length] ?? 0) })),
      ),
      { minLength: 1 },
    ),
  )

describe('a run that is looked at while it grows', () => {
  it('shows what one shows that is looked at once', () => {
    fc.assert(
      fc.property(stories, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (story, looks) => {
        const run = emptyRun(RUN_ID)
        for (const envelope of envelopes(story)) {
          foldEnvelope(run, envelope)
          if (looks[envelope.seq % looks.length]) normalised(run)
        }
        expect(normalised(run)).toEqual(normalised(fold(...story)))
      }),
      { numRuns: 2000 },
    )
  })

  it('tells the roots whose parent has not come from the others, however they came', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const run = emptyRun(RUN_ID)
        for (const envelope of envelopes(story)) {
          foldEnvelope(run, envelope)
          const { roots, orphans, tops } = treeOf(run)
          const lacksParent = (id: string) => {
            const parent = run.instances.get(id)?.parentInstanceId
            return parent !== undefined && !run.instances.has(parent)
          }
          expect(orphans).toEqual(roots.filter(lacksParent))
          expect(tops).toEqual(roots.filter((id) => !lacksParent(id)))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('tells a reader who remembers the tree what came since', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const run = emptyRun(RUN_ID)
        let tree = treeOf(run)
        let seen = 0
        let shown = new Map<string, string | undefined>()
        for (const envelope of envelopes(story)) {
          foldEnvelope(run, envelope)
          const now = treeOf(run)
          if (now === tree) for (const { id, parent } of now.arrivals.slice(seen)) shown.set(id, parent)
          else shown = parentsIn(now)
          tree = now
          seen = now.arrivals.length
          expect(shown).toEqual(parentsIn(now))
        }
      }),
      { numRuns: 500 },
    )
  })
})

function parentsIn({ roots, children }: ReturnType<typeof treeOf>): Map<string, string | undefined> {
  const parents = new Map<string, string | undefined>(roots.map((id) => [id, undefined]))
  for (const [parent, below] of children) for (const id of below) parents.set(id, parent)
  return parents
}
