import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const LOOK_EVERY_MS = 1_000
/** Bytes. Under the load of `npm run soak` 1 to 19 MB of it were in use, seldom 44. */
const ENOUGH = 32_000_000

/**
 * Keeps the main thread's young generation near 32 MB while load lasts: V8 doubles it up to 134 MB, uses a few, and gives nothing back before
 * the thread is idle. A limit can only be given to a program that is yet to start; how far one doubling goes is read each time. It holds
 * for every thread, but the writing thread's own limit is lower. Keeps no process alive.
 */
export function boundYoungGeneration(): void {
  let mayGrow = true
  const look = () => {
    const isWanted = youngBytes() < ENOUGH
    if (isWanted !== mayGrow) setFlagsFromString(`--semi-space-growth-factor=${isWanted ? 2 : 1}`)
    mayGrow = isWanted
  }
  setInterval(look, LOOK_EVERY_MS).unref()
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
