import { describe, expect, it } from 'vitest'
import { settle } from '../../test-support/fake-peers.ts'
import type { ChannelEvent } from '../ports.ts'
import { AppendQueue } from './append-queue.ts'

const event = (seq: number): ChannelEvent => ({
  runId: 'run_1',
  origin: 'app',
  seq,
  ts: 1,
  type: 'node.token',
  payload: {},
  unknownFields: undefined,
})

/** A queue into a store that ends its appends when it is told to. */
function heldQueue() {
  const appends: { readonly seqs: readonly (number | undefined)[]; readonly end: PromiseWithResolvers<void> }[] = []
  const failures: number[] = []
  const queue = new AppendQueue(
    (events) => {
      const end = Promise.withResolvers<void>()
      appends.push({ seqs: events.map(({ seq }) => seq), end })
      return end.promise
    },
    (_error, count) => failures.push(count),
  )
  return { queue, appends, failures }
}

/** Whether the promise is settled once nothing is left to run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let is = false
  promise.finally(() => {
    is = true
  })
  await settle()
  return is
}

describe('settled', () => {
  it('is at once where nothing waits', async () => {
    expect(await isSettled(heldQueue().queue.settled())).toBe(true)
  })

  it('waits for all that was pushed, also while another append is under way, and for nothing later', async () => {
    const { queue, appends } = heldQueue()
    queue.push(event(0), 1)
    await settle()
    const first = queue.settled()
    queue.push(event(1), 1)
    const second = queue.settled()
    appends[0]?.end.resolve()
    expect([await isSettled(first), await isSettled(second)]).toEqual([true, false])
    queue.push(event(2), 1)
    appends[1]?.end.resolve()
    expect(await isSettled(second)).toBe(true)
    expect(appends.map(({ seqs }) => seqs)).toEqual([[0], [1], [2]])
    expect(await isSettled(queue.settled())).toBe(false)
  })

  it('is reached also where the store refuses', async () => {
    const { queue, appends, failures } = heldQueue()
    queue.push(event(0), 1)
    const stored = queue.settled()
    await settle()
    appends[0]?.end.reject(new Error('disk full'))
    expect(await isSettled(stored)).toBe(true)
    expect(failures).toEqual([1])
  })
})
