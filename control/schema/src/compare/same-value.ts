/** Texts that are names of things in one run only: its own ids, and those of its calls. */
export type OwnIds = ReadonlySet<string>

/**
 * Whether two JSON values say the same. An id of the left run and an id of the right one count as the same: every run has its own, and
 * they would make all that quotes them differ. Goes by a list of its own, so that depth costs no stack.
 */
export function isSameValue(left: unknown, right: unknown, leftIds: OwnIds, rightIds: OwnIds): boolean {
  const waiting: [unknown, unknown][] = [[left, right]]
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [one, other] = pair
    if (Object.is(one, other)) continue
    if (typeof one === 'string' && typeof other === 'string') {
      if (leftIds.has(one) && rightIds.has(other)) continue
      return false
    }
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
    if (Array.isArray(one) !== Array.isArray(other)) return false
    const entries = Object.entries(one)
    if (entries.length !== Object.keys(other).length) return false
    for (const [key, value] of entries) {
      if (!Object.hasOwn(other, key)) return false
      waiting.push([value, (other as { readonly [name: string]: unknown })[key]])
    }
  }
  return true
}
