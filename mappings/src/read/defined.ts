/** T with each field also allowed to be undefined. */
export type Loose<T> = { readonly [K in keyof T]: T[K] | undefined }

/** `unknown` counts as present: who says `unknown` answers for it. */
type MayBeUndefined<V> = unknown extends V ? false : undefined extends V ? true : false

type Defined<T> = { [K in keyof T as MayBeUndefined<T[K]> extends true ? never : K]: T[K] } & {
  [K in keyof T as MayBeUndefined<T[K]> extends true ? K : never]?: Exclude<T[K], undefined>
}

/** The object without its undefined fields: what is not known is absent. */
export function defined<T extends object>(value: T): Defined<T> {
  // A loop: this is called for every part of every message, and entries would cost an array each.
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const field = value[key as keyof T]
    if (field !== undefined) setField(kept, key, field)
  }
  return kept as Defined<T>
}

/** Sets an own field of any name: assigning to `__proto__` would change the prototype. */
export function setField(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}

/** Like {@link defined}, and undefined when nothing is left. */
export function definedOrAbsent<T extends object>(value: T): Defined<T> | undefined {
  const kept = defined(value)
  return Object.keys(kept).length === 0 ? undefined : kept
}
