import fc from 'fast-check'

export interface Change {
  readonly at: number
  readonly action: 'set' | 'remove' | 'insert' | 'cut'
  readonly byte: number
}
/** A few changes to the bytes of a request. */
export const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    action: fc.constantFrom('set', 'set', 'remove', 'insert', 'cut'),
    byte: fc.nat(255),
  }),
  { minLength: 1, maxLength: 4 },
)

/** These bytes with the changes made to them. */
export function changed(bytes: Uint8Array, list: readonly Change[]): Uint8Array {
  let out = [...bytes]
  for (const { at, action, byte } of list) {
    const index = Math.floor(at * out.length)
    if (action === 'set') out[index] = byte
    else if (action === 'remove') out.splice(index, 1)
    else if (action === 'insert') out.splice(index, 0, byte)
    else out = out.slice(0, index)
  }
  return Uint8Array.from(out)
}
