import { nodeError } from '../events/node-error.ts'
import { nodeFinished } from '../events/node-finished.ts'
import { nodeStarted } from '../events/node-started.ts'
import type { Extra } from './state.ts'

/** The newer object laid over the known one, field by field; an absent field keeps its known value, `null` replaces it. */
export function overlay<Fields extends object>(known: Fields, newer: Fields): Fields {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(known))
  for (const [key, value] of Object.entries(newer)) if (value !== undefined) put(merged, key, value)
  return merged as Fields
}

const NOTHING: Extra = Object.freeze({})

const known = {
  'node.started': new Set(Object.keys(nodeStarted.payload.shape)),
  'node.finished': new Set(Object.keys(nodeFinished.payload.shape)),
  'node.error': new Set(Object.keys(nodeError.payload.shape)),
}

/** The payload's fields that this version does not know. */
export function extraOf(type: keyof typeof known, payload: object): Extra {
  let extra: Record<string, unknown> | undefined
  for (const key of Object.keys(payload)) {
    if (known[type].has(key)) continue
    extra ??= {}
    put(extra, key, payload[key as keyof typeof payload])
  }
  return extra ?? NOTHING
}

// A sender may name a field `__proto__`; assigning it would change the object's prototype.
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}
