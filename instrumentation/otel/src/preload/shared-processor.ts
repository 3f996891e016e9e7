import type { LiveProcessor } from '../live-processor.ts'
import { VERSION } from '../version.ts'

// A linked package and an installed one may both be loaded, so the places are global, and good for one version only.
const SHARED = Symbol.for(`graphmind.shared@${VERSION}`)
const FIRST = Symbol.for(`graphmind.first@${VERSION}`)

/** The processor that `registerGraphMind` set up in this process; every later one is the same under another name. */
export function sharedProcessor(): LiveProcessor | undefined {
  return at(SHARED)
}

/** The processor that holds the calls of this process: the first that was made, by whatever way. */
export function firstProcessor(): LiveProcessor | undefined {
  return at(FIRST)
}

export function shareProcessor(processor: LiveProcessor): void {
  Reflect.set(globalThis, SHARED, processor)
}

/** Says that a processor is at work; only the first one counts. */
export function enterProcessor(processor: LiveProcessor): void {
  if (firstProcessor() === undefined) Reflect.set(globalThis, FIRST, processor)
}

/** Says that it no longer is. */
export function leaveProcessor(processor: LiveProcessor): void {
  for (const place of [SHARED, FIRST]) if (at(place) === processor) Reflect.deleteProperty(globalThis, place)
}

function at(place: symbol): LiveProcessor | undefined {
  return Reflect.get(globalThis, place) as LiveProcessor | undefined
}
