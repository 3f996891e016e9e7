const held = new WeakSet<object>()
const MAX_CAUSES = 8

/** True the first time an error passes a gate; false when it, or what caused it, was held further in. */
export function isNews(error: unknown): boolean {
  const chain = causesOf(error)
  const news = !chain.some((link) => held.has(link))
  for (const link of chain) held.add(link)
  return news
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
