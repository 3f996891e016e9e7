import { describe, expect, it } from 'vitest'
import type { Call } from './call.ts'
import { nodeOf } from './methods.ts'
import { MAX_KEPT_BYTES, MAX_PENDING, PendingCalls } from './pending.ts'

function call(id: number | string, bytes?: Buffer): Call {
  const node = nodeOf('client', 'ping', {})
  const place = { instanceId: `i-${id}`, parentInstanceId: 'p', runId: 'r' }
  return {
    sender: 'client',
    id,
    method: 'ping',
    params: {},
    node,
    ...place,
    startedMs: 0,
    attempt: 1,
    isStateless: false,
    bytes,
    heldMs: 0,
    patience: new AbortController(),
  }
}

describe('requests that wait for their answer', () => {
  it('are told apart by sender and by the type of their id', () => {
    const pending = new PendingCalls()
    pending.add(call(1))
    expect(pending.find('client', 1)).toBeDefined()
    expect(pending.find('client', '1')).toBeUndefined()
    expect(pending.find('server', 1)).toBeUndefined()
  })

  it('end once, also when their id is used again', () => {
    const pending = new PendingCalls()
    const [first, second] = [call(1), call(1)]
    pending.add(first)
    pending.add(second)
    expect(pending.settle(first)).toBe(false)
    expect(pending.settle(second)).toBe(true)
    expect(pending.settle(second)).toBe(false)
  })

  it('are all remembered up to the limit, and the oldest is forgotten above it', () => {
    const pending = new PendingCalls()
    for (let id = 0; id < MAX_PENDING; id += 1) pending.add(call(id))
    expect(pending.find('client', 0)).toBeDefined()
    pending.add(call(MAX_PENDING))
    expect(pending.find('client', 0)).toBeUndefined()
    expect(pending.find('client', 1)).toBeDefined()
  })

  it('keep their lines up to the limit, and the oldest line goes above it', () => {
    const pending = new PendingCalls()
    const half = Buffer.allocUnsafe(MAX_KEPT_BYTES / 2)
    pending.add(call(1, half))
    pending.add(call(2, half))
    expect(pending.find('client', 1)?.bytes).toBe(half)
    pending.add(call(3, Buffer.from('x')))
    expect(pending.find('client', 1)?.bytes).toBeUndefined()
    expect(pending.find('client', 2)?.bytes).toBe(half)
  })

  it('count an edited line by what became of it', () => {
    const pending = new PendingCalls()
    const [first, second] = [call(1, Buffer.allocUnsafe(MAX_KEPT_BYTES)), call(2, Buffer.from('x'))]
    pending.add(first)
    pending.replaceLine(first, Buffer.from('short'))
    pending.add(second)
    expect(pending.find('client', 1)?.bytes?.toString()).toBe('short')
  })
})
