/** Where a command prints: what was asked for on `out`, everything said about it on `err`. */
export interface Console {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
  readonly isTerminal: boolean
  /** Draws over the line drawn before; absent where nobody watches. */
  readonly draw?: (text: string) => void
}
