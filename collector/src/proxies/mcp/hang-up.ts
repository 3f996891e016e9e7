const CHECK_MS = 250
/** How long a server that owes no answer may ignore the end of its input, ms. MCP clients ask the proxy itself to stop after 2 s. */
const IDLE_MS = 1500
/** The same when nobody looks into the frames, so that it may still be working. */
const UNKNOWN_MS = 30_000

export interface HangUpPorts {
  /** Whether the server owes an answer, or a call is held; `unknown` while frames are not looked at. */
  readonly work: () => 'open' | 'none' | 'unknown'
  readonly stopServer: () => void
}

/** After the client hung up: lets the server finish what it owes, and asks it to stop when it ignores the end of its input. */
export function hangUpWatch({ work, stopServer }: HangUpPorts): { readonly start: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined
  let quietMs = 0
  const parent = process.ppid
  const check = () => {
    // What is open is worth waiting for while somebody may read the answer. An orphan is handed to another parent.
    const open = process.ppid === parent ? work() : 'none'
    quietMs = open === 'open' ? 0 : quietMs + CHECK_MS
    if (quietMs >= (open === 'unknown' ? UNKNOWN_MS : IDLE_MS)) stopServer()
  }
  return {
    start() {
      timer ??= setInterval(check, CHECK_MS).unref()
    },
    stop: () => clearInterval(timer),
  }
}
