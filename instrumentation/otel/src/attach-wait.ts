const MAX_MS = 60_000

/** How long to wait for the debugger, in ms: GRAPHMIND_WAIT_FOR_ATTACH_MS, at most a minute, else `defaultMs`. */
export function attachWaitMs(env: Readonly<Record<string, string | undefined>>, defaultMs: number): number {
  const text = env['GRAPHMIND_WAIT_FOR_ATTACH_MS']
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), MAX_MS) : defaultMs
}
