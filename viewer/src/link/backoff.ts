const FIRST_MS = 250
const MOST_MS = 8_000

/** Wait in ms before the n-th attempt (from 1) to connect again: doubling, with up to a quarter of jitter by `random` in [0, 1). */
export function backoffMs(attempt: number, random: number): number {
  const base = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 10))
  return Math.round(base * (1 - random / 4))
}
