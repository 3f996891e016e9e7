import { expect, it } from 'vitest'
import { runFromText } from '../testing/run-from-text.ts'
import { comparisonsOf, previousOf } from './comparisons.ts'

it('compares a call with the one of its node before, and has nothing to compare for the first', () => {
  const { picture } = runFromText(`
    agent a 0-100
      tool search 10-20
      tool search 30-40`)
  const [first, second] = ['search1', 'search2'].map((id) => picture.instances.get(id))
  if (first === undefined || second === undefined) throw new Error('The pictured calls are missing.')
  expect(previousOf(picture, first)).toBeUndefined()
  expect(comparisonsOf(picture, first, previousOf(picture, first))).toEqual([])
  const compared = comparisonsOf(picture, second, previousOf(picture, second))
  expect(compared.map(({ id }) => id)).toEqual(['input', 'output'])
  expect(compared[0]).toMatchObject({
    before: { text: expect.stringContaining('search1') },
    after: { text: expect.stringContaining('search2') },
  })
})

it('shows what an inject replaced', () => {
  const { picture } = runFromText('tool convert 0-50 paused:10-20 at:error')
  const instance = picture.instances.get('convert1')
  const pause = picture.pauses.get('convert1-pause1')
  if (instance === undefined || pause?.released === undefined) throw new Error('The pictured call is missing.')
  picture.pauses.set(pause.pauseId, { ...pause, released: { ...pause.released, action: 'inject' } })
  const [compared] = comparisonsOf(picture, { ...instance, injected: { output: { amount: 1 } } }, undefined)
  expect(compared).toMatchObject({
    id: 'injected',
    before: { text: 'Error: convert broke' },
    after: { text: expect.stringContaining('"amount": 1') },
  })
})
