import type { Result } from '../problem.ts'
import type { Console } from './console.ts'
import type { Environment } from './settings.ts'

/** What a command gets from the process it runs in. */
export interface Cli {
  readonly console: Console
  readonly environment: Environment
  /**
   * Does the work of a command and ends with its exit code: 0, the number the work gave, or for a problem, said on stderr, the one of
   * `exit-codes.ts`. Work is passed as a function that imports its code, so that no command pays for the others at start.
   */
  perform(work: () => Promise<Result<number | undefined>>): Promise<void>
  /** Resolves at the first Ctrl+C or SIGTERM. */
  interrupted(): Promise<void>
}
