import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ByteBudget } from './byte-budget.ts'
import { readBody } from './read-body.ts'

describe('readBody', () => {
  it('joins the pieces, and gives the memory of each back that has its own', async () => {
    const shared = new Uint8Array([9, 3, 4, 9])
    const own = Buffer.from(new Uint8Array([1, 2]).buffer)
    const pieces = [own, Buffer.from(shared.buffer, 1, 2)]
    const read = await readBody(Readable.from(pieces), 4, 10, new ByteBudget(100))
    expect(read).toMatchObject({ outcome: 'read', body: new Uint8Array([1, 2, 3, 4]) })
    expect(own.byteLength).toBe(0)
    expect(shared).toEqual(new Uint8Array([9, 3, 4, 9]))
  })
})
