import { describe, expect, it } from 'vitest'
import { CallHistory } from './call-history.ts'

/** One call a word: its name and arguments, with what it gave after a colon; `!` makes that an error. */
function historyOf(text: string, isAnswered = false) {
  const history = new CallHistory((sealed) => `sealed ${sealed.length}`)
  let seq = 0
  const start = (call: string) => {
    seq += 1
    const name = call.replace(/\d+$/, '')
    history.started({ nodeId: `tool:${name}`, fingerprint: call, seq, instanceId: `i${seq}` }, isAnswered)
    return { nodeId: `tool:${name}`, instanceId: `i${seq}` }
  }
  const play = (calls: string) => {
    for (const word of calls.split(' ').filter((one) => one !== '')) {
      const [call = '', result = ''] = word.split(':')
      history.ended(start(call), () => ({ result, isFailure: result.startsWith('!') }))
    }
  }
  play(text)
  return { history, play, start, next: (call: string) => history.answer(start(call)) }
}

const repeated = (text: string, times: number) => Array.from({ length: times }, () => text).join(' ')

describe('a circle', () => {
  it('is held where its fourth lap begins, with the last lap as evidence', () => {
    expect(historyOf(repeated('a:1 b:2', 3)).next('a')).toMatchObject({
      kind: 'cycle',
      repeats: 3,
      period: 2,
      laps: 3,
      firstSeq: 1,
      lastSeq: 6,
      firstInstanceId: 'i1',
      lastInstanceId: 'i6',
      instanceIds: ['i5', 'i6'],
    })
  })

  it.each([
    ['three calls', repeated('a:1 b:2 c:3', 3), 'a', 3],
    ['four calls', repeated('a:1 b:2 c:3 d:4', 3), 'a', 4],
    ['one tool with two arguments', repeated('a1:1 a2:2', 3), 'a1', 2],
    ['a tool twice', repeated('a:1 a:1 b:2', 3), 'a', 3],
    ['failures', repeated('a:!x b:2', 3), 'a', 2],
    ['calls after others', `x:1 y:2 ${repeated('a:1 b:2', 3)}`, 'a', 2],
  ])('may be of %s', (_what, text, next, period) => {
    expect(historyOf(text).next(next)).toMatchObject({ kind: 'cycle', period })
  })

  it.each([
    ['two laps', repeated('a:1 b:2', 2), 'a'],
    ['five calls a lap', repeated('a:1 b:2 c:3 d:4 e:5', 3), 'a'],
    ['results that change', 'a:1 b:2 a:1 b:3 a:1 b:2', 'a'],
    ['arguments that change', 'a1:1 b:2 a2:1 b:2 a1:1 b:2', 'a1'],
    ['one call alone', repeated('a:1', 6), 'a'],
    ['a way out of it', repeated('a:1 b:2', 3), 'c'],
    ['its middle', repeated('a:1 b:2', 3), 'b'],
  ])('is none with %s', (_what, text, next) => {
    expect(historyOf(text).next(next)).toBeUndefined()
  })

  it('that a person lets go on is held again a lap later', () => {
    const { history, next, play, start } = historyOf(repeated('a:1 b:2', 3))
    const first = start('a')
    expect(history.answer(first)?.kind).toBe('cycle')
    expect(history.answer(first)).toBeUndefined()
    history.ended(first, () => ({ result: '1', isFailure: false }))
    expect(next('b')).toBeUndefined()
    play('b:2')
    expect(next('a')?.kind).toBe('cycle')
  })
})

describe('failures of one tool', () => {
  it('that are alike are held before the fourth call, whatever its arguments and what came between', () => {
    const loop = historyOf('a1:!x b:1 a2:!x c:1 a3:!x').next('a4')
    expect(loop).toMatchObject({ kind: 'error-repeat', repeats: 3, firstSeq: 1, lastSeq: 5, instanceIds: ['i1', 'i3', 'i5'] })
    expect(loop).not.toHaveProperty('period')
  })

  it.each([
    ['two failures', 'a1:!x a2:!x', 'a3'],
    ['another error', 'a1:!x a2:!y a3:!x', 'a4'],
    ['a success between', 'a1:!x a2:!x a3:1 a4:!x', 'a5'],
    ['the failures of another tool', 'a1:!x a2:!x a3:!x', 'b'],
    ['results alike that are none', 'a1:1 a2:1 a3:1', 'a4'],
  ])('are no loop with %s', (_what, text, next) => {
    expect(historyOf(text).next(next)).toBeUndefined()
  })

  it('end with a value that a person gave in place of one', () => {
    const { history, next } = historyOf('a1:!x a2:!x a3:!x')
    history.ended({ nodeId: 'tool:a', instanceId: 'i3' }, () => ({ result: 'given', isFailure: false }))
    expect(next('a4')).toBeUndefined()
  })

  it('do not hold a retry that a person asked for', () => {
    expect(historyOf('a1:!x a2:!x a3:!x', true).next('a4')).toBeUndefined()
  })
})

describe('what is remembered of a run', () => {
  it.each([
    [61, 'error-repeat'],
    [62, undefined],
  ])('are its last 64 ended calls: with %i calls after three failures, the answer is %s', (others, kind) => {
    const between = Array.from({ length: others }, (_, index) => `b${index}:1`).join(' ')
    expect(historyOf(`a1:!x a2:!x a3:!x ${between}`).next('a4')?.kind).toBe(kind)
  })

  it.each([
    [255, true],
    [256, false],
  ])('are 256 calls under way: with %i more after it, the end of the first is known: %s', (others, isKnown) => {
    const { history, start } = historyOf('')
    const first = start('a1')
    for (let index = 0; index < others; index += 1) start(`b${index}`)
    let isRead = false
    history.ended(first, () => {
      isRead = true
      return { result: '1', isFailure: false }
    })
    expect(isRead).toBe(isKnown)
  })
})
