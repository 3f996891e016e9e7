import { expect, it } from 'vitest'
import { loopCalls, loopWords } from './loops.ts'

const evidence = { repeats: 3, firstSeq: 1, lastSeq: 9, fingerprint: 'f', firstInstanceId: 'a', lastInstanceId: 'c' }

it('says of each kind of loop what came again, and which calls show it', () => {
  expect(loopWords(evidence)).toBe('The same call came 3 times with the same input.')
  expect(loopCalls(evidence).map(({ title, instanceId }) => [title, instanceId])).toEqual([
    ['The first', 'a'],
    ['The last', 'c'],
  ])
  const cycle = { ...evidence, kind: 'cycle', period: 2, laps: 3, instanceIds: ['e', 'f'] }
  expect(loopWords(cycle)).toBe('The same 2 calls came 3 times with the same inputs and results, and this one begins them again.')
  expect(loopCalls(cycle)).toEqual([
    { title: 'Call 1', instanceId: 'e' },
    { title: 'Call 2', instanceId: 'f' },
  ])
  const failures = { ...evidence, kind: 'error-repeat', instanceIds: ['a', 'b', 'c'] }
  expect(loopWords(failures)).toBe('The last 3 calls of it failed in the same way.')
  expect(loopCalls(failures).map(({ title }) => title)).toEqual(['Failure 1', 'Failure 2', 'Failure 3'])
})
