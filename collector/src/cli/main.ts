import { Command, CommanderError } from 'commander'
import { messageOf } from '../problem.ts'
import { VERSION } from '../version.ts'
import { serve } from './commands/serve.ts'
import type { ServeFlags } from './settings.ts'

// A stop that takes longer than this is not clean any more; the store survives it.
const STOP_TIMEOUT_MS = 5000

const program = new Command('graphmind')
  .description('GraphMind: the live debugger for AI agents')
  .version(VERSION, '-v, --version', 'print the version and exit')
  .exitOverride()

program
  .command('serve', { isDefault: true })
  .description('start the local server and open the viewer')
  .option('--port <n>', 'port on 127.0.0.1 (default 4747)')
  .option('--db <path>', 'database file (default ~/.graphmind/graphmind.db)')
  .option('--open', 'open a browser also where none is expected')
  .option('--no-open', 'do not open a browser')
  .option('--pause-on-error <on|off|kind>', 'what to hold at the first error: on, off or one node kind (default on)')
  .option('--no-otlp-ports', 'leave the OTLP default port 4318 alone')
  .option('--json', 'print one line {port,url,pid,version} on stdout, everything else on stderr')
  .action(runServe)

async function runServe(flags: ServeFlags): Promise<void> {
  const started = await serve(flags, process.env, {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    isTerminal: process.stdout.isTTY === true,
  })
  if (!started.ok) return fail(started.problem.message)
  let stopping = false
  const stop = () => {
    // A second Ctrl+C means now.
    if (stopping) process.exit(130)
    stopping = true
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    started.value.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(messageOf(error)),
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function fail(message: string): void {
  process.stderr.write(`graphmind: ${message}\n`)
  process.exit(1)
}

try {
  await program.parseAsync()
} catch (error) {
  // Commander has said what was wrong, or printed the help or version that was asked for.
  if (error instanceof CommanderError) process.exit(error.exitCode)
  fail(messageOf(error))
}
