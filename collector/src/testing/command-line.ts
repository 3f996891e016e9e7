import { CommanderError } from 'commander'
import { exitCodeOf } from '../cli/exit-codes.ts'
import { createProgram, withDefaultCommand } from '../cli/program.ts'

export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** One `graphmind` command line as a user would run it, in this process. */
export async function runCommandLine(args: readonly string[], environment: { readonly [name: string]: string } = {}): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const console = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), isTerminal: false }
  let exitCode = 0
  const program = createProgram({
    console,
    environment,
    async perform(work) {
      exitCode = exitCodeOf(await work(), console)
    },
    interrupted: () => new Promise(() => undefined),
  })
  try {
    await program.parseAsync(withDefaultCommand(args), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    exitCode = error.exitCode
  }
  return { exitCode, out: out.join('\n'), err: err.join('\n') }
}
