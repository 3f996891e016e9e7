import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const LOOK_EVERY_MS = 1_000
/** Bytes. Under the load of `npm run soak` 1 to 19 MB of it were in use, seldom 44. */
const ENOUGH_YOUNG = 32_000_000
/** How much of what is in use may come before it is collected, %; V8 takes up to three times as much as it collects faster. */
const OLD_GROWTH = 100

/**
 * Keeps the heaps of all threads near what they use while load lasts; V8 on its own gives nothing back before a thread is idle. The old
 * generation collects when it has doubled. The main thread's young one stays near 32 MB: V8 doubles it up to 134 MB and uses a few. A limit
 * can only be given to a program that is yet to start; how far one doubling goes is read each time. The writing thread's own limit is lower.
 * Keeps no process alive.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GROWTH}`)
  let mayGrow = true
  const look = () => {
    const isWanted = youngBytes() < ENOUGH_YOUNG
    if (isWanted !== mayGrow) setFlagsFromString(`--semi-space-growth-factor=${isWanted ? 2 : 1}`)
    mayGrow = isWanted
  }
  setInterval(look, LOOK_EVERY_MS).unref()
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
