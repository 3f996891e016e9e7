const held = new WeakSet<object>()
const MAX_CAUSES = 8

/** True when an error, or what caused it, was held further in. */
export function wasHeld(error: unknown): boolean {
  return causesOf(error).some((link) => held.has(link))
}

/** Notes that an error was held, so that it is not held again on its way up. */
export function markHeld(error: unknown): void {
  for (const link of causesOf(error)) held.add(link)
}

/** True for a call that was called off, by its caller or by an abort at a gate: nothing to look at, and nothing to retry. */
export function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'
}

function causesOf(error: unknown): readonly object[] {
  const chain: object[] = []
  let link = error
  while (typeof link === 'object' && link !== null && chain.length < MAX_CAUSES) {
    chain.push(link)
    link = 'cause' in link ? link.cause : undefined
  }
  return chain
}
