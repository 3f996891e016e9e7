import { CommanderError } from 'commander'
import { messageOf } from '../problem.ts'
import type { Cli } from './cli.ts'
import { exitCodeOf } from './exit-codes.ts'
import { createProgram, withDefaultCommand } from './program.ts'
import { telemetryPolicy } from './telemetry/policy.ts'

// A stop that takes longer than this is not clean any more; the store survives it.
const STOP_TIMEOUT_MS = 5000

let stopping = false

const cli: Cli = {
  console: {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    isTerminal: process.stdout.isTTY === true,
    // Progress goes to stderr, so that stdout can be kept.
    ...(process.stderr.isTTY === true ? { draw: (text: string) => process.stderr.write(`\r\x1b[K${text}`) } : {}),
  },
  environment: process.env,
  async perform(work) {
    end(exitCodeOf(await work(), cli.console))
  },
  interrupted: () =>
    new Promise((resolve) => {
      const stop = () => {
        // A second Ctrl+C means now.
        if (stopping) process.exit(130)
        stopping = true
        setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
        resolve()
      }
      process.on('SIGINT', stop)
      process.on('SIGTERM', stop)
    }),
}

/** Without an address, which is the rule, nothing of it is even loaded. */
async function tellUseOf(command: string): Promise<void> {
  const policy = telemetryPolicy(process.env)
  if (policy.to === 'nobody') return
  const { tellUse } = await import('./telemetry/telemetry.ts')
  await tellUse(command, policy, process.env, cli.console)
}

/** Lets what is still being written go out, unless someone asked us to stop. */
function end(exitCode: number): void {
  process.exitCode = exitCode
  if (stopping) process.exit()
}

// `graphmind … | head` closes our output when it has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  cli.console.err(`graphmind: What it has to say could not be written: ${error.message}.`)
  process.exit(1)
})

try {
  const program = createProgram(cli)
  program.hook('preAction', (_program, command) => tellUseOf(command.name()))
  await program.parseAsync(withDefaultCommand(process.argv.slice(2)), { from: 'user' })
} catch (error) {
  // Commander has said what was wrong, or printed the help or version that was asked for.
  if (error instanceof CommanderError) end(error.exitCode)
  else {
    cli.console.err(`graphmind: ${messageOf(error)}`)
    end(1)
  }
}
