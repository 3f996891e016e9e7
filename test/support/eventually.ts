import { setTimeout as pause } from 'node:timers/promises'

/** Asks until the answer is not undefined. The only place where a test waits by the clock; it waits for a fact, never for a time. */
export async function eventually<T>(ask: () => Promise<T | undefined> | T | undefined, what: string, limitMs = 60_000): Promise<T> {
  const until = performance.now() + limitMs
  let lastError: unknown
  while (performance.now() < until) {
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (error) {
      lastError = error
    }
    await pause(20)
  }
  throw new Error(`Waited for ${what} in vain.`, { cause: lastError })
}
