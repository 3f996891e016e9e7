/** Prints a line for the person at the terminal. The proxies speak to people on stderr only: stdout may be the protocol. */
export type Say = (line: string) => void
