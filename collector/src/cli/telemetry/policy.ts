import type { Environment } from '../settings.ts'

/** What becomes of a usage record: nothing, a line on stderr, or one request to the address that someone configured. */
export type TelemetryPolicy = { readonly to: 'nobody' } | { readonly to: 'stderr' } | { readonly to: 'address'; readonly url: string }

const NOBODY: TelemetryPolicy = { to: 'nobody' }

/** Off unless GRAPHMIND_TELEMETRY_URL is set (docs/adr/0002), and off for whoever says so, in CI too. */
export function telemetryPolicy(environment: Environment): TelemetryPolicy {
  if (isOn(environment['DO_NOT_TRACK'])) return NOBODY
  const wish = environment['GRAPHMIND_TELEMETRY']?.trim().toLowerCase()
  if (wish === 'log') return { to: 'stderr' }
  if (wish !== undefined && wish !== '' && !isOn(wish)) return NOBODY
  if (isOn(environment['CI'])) return NOBODY
  const url = environment['GRAPHMIND_TELEMETRY_URL'] ?? ''
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? { to: 'address', url } : NOBODY
}

/** The contract’s spelling: any value but these switches something on. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'off', 'no'].includes(value.trim().toLowerCase())
}
