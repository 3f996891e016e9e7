import type { Problem, Result } from '../problem.ts'
import type { Console } from './console.ts'

const FAILED = 1

// The numbers scripts rely on (docs/cli.md). A code that is not here ends with 1.
const EXIT_CODES: { readonly [code: string]: number } = {
  'diff-trouble': 2,
  'wait-timeout': 2,
  'resume-no-answer': 2,
  'no-server': 3,
  'nothing-held': 4,
  'no-such-pause': 4,
  'not-authorised': 5,
  'resume-refused': 6,
  'resume-taken': 7,
}

/** Says a problem on stderr; returns the exit code. */
export function exitCodeOf(done: Result<number | undefined>, console: Console): number {
  if (done.ok) return done.value ?? 0
  const { code, message }: Problem = done.problem
  console.err(`graphmind: ${message}`)
  return EXIT_CODES[code] ?? FAILED
}
