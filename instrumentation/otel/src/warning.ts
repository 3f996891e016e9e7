/** Where warnings go; `console` fits. */
export interface WarningLog {
  warn(message: string): void
}

/** Says each kind of trouble once in the life of the process: a debugger must not fill the host's log. */
export function createWarning(log: WarningLog): (kind: string, message: string) => void {
  const said = new Set<string>()
  return (kind, message) => {
    if (said.has(kind)) return
    said.add(kind)
    log.warn(`[graphmind] ${message}`)
  }
}
