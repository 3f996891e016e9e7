import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Assembly, canonical } from '../testing/assembly.ts'
import { copiesOf, shape } from '../testing/random-traces.ts'
import type { TestSpan } from '../testing/spans.ts'

/** Takes the copies in, in batches of these sizes and the rest in one. */
function pictureOf(copies: readonly TestSpan[], sizes: readonly number[] = []) {
  const assembly = new Assembly()
  let at = 0
  for (const size of [...sizes, copies.length]) {
    assembly.add(...copies.slice(at, at + size))
    at += size
  }
  return canonical(assembly.picture())
}

/** The copies as they are, in another order, and the sizes of the batches these come in. */
function inAnyOrder(copies: readonly TestSpan[]) {
  return fc.tuple(
    fc.constant(copies),
    fc.shuffledSubarray([...copies], { minLength: copies.length, maxLength: copies.length }),
    fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 6 }),
  )
}

describe('assemble', () => {
  it('gives the same picture for any order and batching of a trace’s copies', () => {
    const orders = fc.array(shape, { minLength: 1, maxLength: 12 }).chain((shapes) => {
      return inAnyOrder(copiesOf(shapes))
    })
    fc.assert(
      fc.property(orders, ([copies, shuffled, sizes]) => {
        expect(pictureOf(shuffled, sizes)).toEqual(pictureOf(copies))
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

  it('finds the same twins and places in any order, for calls in calls and tools below calls', () => {
    const call = fc.record({
      type: fc.constantFrom<'agent' | 'llm' | 'tool' | 'web'>('agent', 'llm', 'llm', 'tool', 'web'),
      parent: fc.integer({ min: -1, max: 9 }),
      tokens: fc.constantFrom(undefined, 7, 8),
      response: fc.constantFrom(undefined, undefined, 'resp-1', 'resp-2'),
      scope: fc.constantFrom('one', 'other'),
      live: fc.boolean(),
      failed: fc.constantFrom(false, false, true),
      open: fc.constantFrom(false, false, false, true),
    })
    const orders = fc.array(call, { minLength: 1, maxLength: 9 }).chain((calls) => {
      const copies = calls.flatMap(({ type, parent, tokens, response, scope, live, failed, open }, index): TestSpan[] => {
        const span: TestSpan = {
          id: index + 1,
          ...(parent < 0 || index === 0 ? {} : { parent: Math.min(parent, index - 1) + 1 }),
          type,
          name: type === 'tool' ? 'find' : `${type}-${index}`,
          scope,
          start: index,
          attributes: {
            ...(type === 'llm' && tokens !== undefined ? { 'gen_ai.usage.input_tokens': tokens, 'gen_ai.usage.output_tokens': 1 } : {}),
            ...(type === 'llm' && response !== undefined ? { 'gen_ai.response.id': response } : {}),
          },
        }
        const error = failed ? { error: `broke ${index}` } : {}
        return [
          ...(live ? [{ ...span, attributes: {}, phase: 'start' as const }] : []),
          ...(live && open ? [] : [{ ...span, end: 100 - index, ...error, ...(live ? { phase: 'end' as const } : {}) }]),
        ]
      })
      return inAnyOrder(copies)
    })
    fc.assert(
      fc.property(orders, ([copies, shuffled, sizes]) => {
        expect(pictureOf(shuffled, sizes)).toEqual(pictureOf(copies))
      }),
      { numRuns: 400 },
    )
  })
})
