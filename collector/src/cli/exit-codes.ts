import type { Problem } from '../problem.ts'

const FAILED = 1

// The numbers scripts rely on (docs/cli.md). A code that is not here ends with 1.
const EXIT_CODES: { readonly [code: string]: number } = {}

/** The exit code for a problem. */
export function exitCodeOf({ code }: Problem): number {
  return EXIT_CODES[code] ?? FAILED
}
