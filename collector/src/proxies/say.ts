/** Prints a line for the person at the terminal, marked as ours. The proxies speak to people on stderr only: stdout may be the protocol. */
export type Say = (line: string) => void

/** Says through what writes a line; `graphmind` in front tells our words from those of the wrapped programs. */
export function sayingTo(writeLine: (line: string) => void): Say {
  return (line) => writeLine(`[graphmind] ${line}`)
}
