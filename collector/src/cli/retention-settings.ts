import { failed, ok, type Result } from '../problem.ts'
import { DEFAULT_KEEP_BYTES, DEFAULT_KEEP_DAYS, DEFAULT_KEEP_RUNS, type RetentionPolicy } from '../store/library/retention.ts'
import type { Environment } from './settings.ts'

const DAY_MS = 86_400_000
const UNITS = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 } as const

/** What the environment says the store keeps: undefined for everything (`GRAPHMIND_RETENTION=off`). */
export function retentionSettings(environment: Environment): Result<RetentionPolicy | undefined> {
  const wish = environment['GRAPHMIND_RETENTION'] ?? ''
  if (/^(off|0|false|no)$/i.test(wish)) return ok(undefined)
  if (!/^(on|1|true|yes|)$/i.test(wish)) return failed('retention', `GRAPHMIND_RETENTION takes on or off, not "${wish}".`)
  const runs = readCount(environment, 'GRAPHMIND_KEEP_RUNS', DEFAULT_KEEP_RUNS)
  if (!runs.ok) return runs
  const otherRuns = readCount(environment, 'GRAPHMIND_KEEP_OTHER_RUNS', DEFAULT_KEEP_RUNS)
  if (!otherRuns.ok) return otherRuns
  const days = readCount(environment, 'GRAPHMIND_KEEP_DAYS', DEFAULT_KEEP_DAYS)
  if (!days.ok) return days
  const bytes = readBytes(environment['GRAPHMIND_KEEP_BYTES'])
  if (!bytes.ok) return bytes
  return ok({
    keepRuns: { count: runs.value, otherCount: otherRuns.value },
    maxAgeMs: days.value * DAY_MS,
    maxBytes: bytes.value,
  })
}

function readCount(environment: Environment, name: string, fallback: number): Result<number> {
  const value = environment[name] ?? ''
  if (value === '') return ok(fallback)
  return /^\d{1,9}$/.test(value) ? ok(Number(value)) : failed('retention', `${name} takes a whole number, not "${value}".`)
}

function readBytes(value = ''): Result<number> {
  if (value === '') return ok(DEFAULT_KEEP_BYTES)
  const match = /^(\d{1,15})([KMGT]?)B?$/i.exec(value)
  if (match === null) return failed('retention', `GRAPHMIND_KEEP_BYTES takes a number of bytes, like 500M or 2G, not "${value}".`)
  return ok(Number(match[1]) * UNITS[(match[2] ?? '').toUpperCase() as keyof typeof UNITS])
}
