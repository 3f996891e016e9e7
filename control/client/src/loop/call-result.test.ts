import { expect, it } from 'vitest'
import { type CallEnd, readCallEnd } from './call-result.ts'

const alike = (left: CallEnd, right: CallEnd) => readCallEnd(left).result === readCallEnd(right).result
const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

it.each<[string, CallEnd, CallEnd, boolean]>([
  ['results, whatever the order of keys', { output: { a: 1, b: 2 } }, { output: { b: 2, a: 1 } }, true],
  ['results that differ', { output: 1 }, { output: 2 }, false],
  ['results that can’t be read', { output: cycle }, { output: cycle }, false],
  ['errors, whatever their white space', { error: new Error('no  rate\n') }, { error: new Error('no rate') }, true],
  ['errors of another name', { error: new TypeError('no') }, { error: new RangeError('no') }, false],
  ['errors that say something else', { error: new Error('a') }, { error: new Error('b') }, false],
  ['errors that differ in the 512th character', { error: `${'x'.repeat(511)}a` }, { error: `${'x'.repeat(511)}b` }, false],
  ['errors that differ after it', { error: `${'x'.repeat(512)}a` }, { error: `${'x'.repeat(512)}b` }, true],
])('tells %s apart or not', (_what, left, right, same) => {
  expect(alike(left, right)).toBe(same)
})

it('takes errors, and results that say that they failed, for failures', () => {
  expect([{ error: 'no' }, { output: { success: false } }, { output: { success: true } }].map((end) => readCallEnd(end).isFailure)).toEqual(
    [true, true, false],
  )
})
