import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Assembly, canonical } from '../testing/assembly.ts'
import { copiesOf, shape } from '../testing/random-traces.ts'
import type { TestSpan } from '../testing/spans.ts'

function pictureOf(copies: readonly TestSpan[]) {
  const assembly = new Assembly()
  assembly.add(...copies)
  return canonical(assembly.picture())
}

describe('assemble', () => {
  it('gives the same picture for any order of a trace’s copies', () => {
    const orders = fc.array(shape, { minLength: 1, maxLength: 12 }).chain((shapes) => {
      const copies = copiesOf(shapes)
      return fc.tuple(fc.constant(copies), fc.shuffledSubarray(copies, { minLength: copies.length, maxLength: copies.length }))
    })
    fc.assert(
      fc.property(orders, ([copies, shuffled]) => {
        expect(pictureOf(shuffled)).toEqual(pictureOf(copies))
      }),
      { numRuns: 400 },
    )
  })

  it('says nothing more when every copy comes again', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 12 }), (shapes) => {
        const copies = copiesOf(shapes)
        const assembly = new Assembly()
        assembly.add(...copies)
        expect(assembly.add(...copies)).toEqual([])
      }),
    )
  })
})
