/** T with each field also allowed to be undefined. */
export type Loose<T> = { readonly [K in keyof T]: T[K] | undefined }

/** `unknown` counts as present: who says `unknown` answers for it. */
type MayBeUndefined<V> = unknown extends V ? false : undefined extends V ? true : false

type Defined<T> = { [K in keyof T as MayBeUndefined<T[K]> extends true ? never : K]: T[K] } & {
  [K in keyof T as MayBeUndefined<T[K]> extends true ? K : never]?: Exclude<T[K], undefined>
}

/** The object without its undefined fields: what is not known is absent. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>
}

/** Like {@link defined}, and undefined when nothing is left. */
export function definedOrAbsent<T extends object>(value: T): Defined<T> | undefined {
  const kept = defined(value)
  return Object.keys(kept).length === 0 ? undefined : kept
}
