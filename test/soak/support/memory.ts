import { existsSync, readFileSync } from 'node:fs'

const MIB = 1024 * 1024

/** Resident bytes of a process; undefined where the system does not tell. */
export function residentBytes(pid: number): number | undefined {
  const path = `/proc/${pid}/status`
  const kib = existsSync(path) ? /VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1] : undefined
  return kib === undefined ? undefined : Number(kib) * 1024
}

export interface Trend {
  readonly samples: number
  /** Of the middle and of the last third; the first is for warming up. */
  readonly middleMb: number
  readonly lastMb: number
  readonly peakMb: number
}

/** Medians, because a garbage collection moves single samples by tens of megabytes. */
export function trendOf(samples: readonly number[]): Trend {
  const third = Math.floor(samples.length / 3)
  return {
    samples: samples.length,
    middleMb: median(samples.slice(third, 2 * third)) / MIB,
    lastMb: median(samples.slice(2 * third)) / MIB,
    peakMb: Math.max(...samples) / MIB,
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
