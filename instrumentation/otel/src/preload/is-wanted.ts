import { isMainThread } from 'node:worker_threads'

/**
 * Whether the preload has anything to do, found out before anything is loaded: not in a worker, which inherits `--import` and would
 * report a second time, and not under a kill switch (contract, "Kill switches").
 */
export function isWanted(env: Readonly<Record<string, string | undefined>>): boolean {
  if (!isMainThread || isOn(env['GRAPHMIND_DISABLED'])) return false
  return env['NODE_ENV'] !== 'production' || isOn(env['GRAPHMIND'])
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^\s*(0|false|off|no|)\s*$/i.test(value)
}
