import { Command, CommanderError } from 'commander'
import { DEFAULT_EXPORT_FORMAT, EXPORT_FORMAT_NAMES } from '../export/formats.ts'
import { messageOf } from '../problem.ts'
import { VERSION } from '../version.ts'
import { type ExportFlags, exportRun } from './commands/export.ts'
import { type ImportFlags, importFiles } from './commands/import.ts'
import { type RemapFlags, remapRuns } from './commands/remap.ts'
import { type Console, serve } from './commands/serve.ts'
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
  .option('--no-otlp-ports', 'leave the OTLP default ports 4317 and 4318 alone')
  .option('--json', 'print one line {port,url,pid,version} on stdout, everything else on stderr')
  .allowExcessArguments()
  .action((flags: ServeFlags, command: Command) => {
    const [unknown] = command.args
    if (unknown === undefined) return runServe(flags)
    return fail(`There is no command "${unknown}". Run graphmind --help to see them all.`)
  })

program
  .command('import <files...>')
  .description('read trace files, folders or - for stdin: OTLP, Jaeger, Zipkin, Phoenix, Langfuse, Python SDK spans, GraphMind NDJSON')
  .option('--db <path>', 'database file (default ~/.graphmind/graphmind.db)')
  .option('--port <n>', 'port for links when no server is running (default 4747)')
  .option('--json', 'print one document {runs, skipped} on stdout')
  .action(async (files: string[], flags: ImportFlags) => {
    const imported = await importFiles(files, flags, process.env, { ...userConsole(), ...drawing() })
    if (!imported.ok) fail(imported.problem.message)
  })

program
  .command('export <runId>')
  .description('write one run to a file')
  .option('--format <format>', `${EXPORT_FORMAT_NAMES} (default ${DEFAULT_EXPORT_FORMAT})`)
  .option('--out <file>', 'where to write it (default stdout)')
  .option('--db <path>', 'database file (default ~/.graphmind/graphmind.db)')
  .action(async (runId: string, flags: ExportFlags) => {
    const exported = await exportRun(runId, flags, process.env, process.stdout)
    if (!exported.ok) fail(exported.problem.message)
    else if (exported.value !== '') process.stderr.write(`${exported.value}\n`)
  })

program
  .command('remap [runIds...]')
  .description('derive the events of runs anew from their raw spans, after a mapping got better (default all runs)')
  .option('--db <path>', 'database file (default ~/.graphmind/graphmind.db)')
  .action(async (runIds: string[], flags: RemapFlags) => {
    const remapped = await remapRuns(runIds, flags, process.env, userConsole().out)
    if (!remapped.ok) fail(remapped.problem.message)
  })

function userConsole(): Console {
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    isTerminal: process.stdout.isTTY === true,
  }
}

/** Progress goes to stderr, so that stdout can be kept. */
function drawing(): Pick<Console, 'draw'> {
  if (process.stderr.isTTY !== true) return {}
  return { draw: (text) => process.stderr.write(`\r\x1b[K${text}`) }
}

async function runServe(flags: ServeFlags): Promise<void> {
  const started = await serve(flags, process.env, userConsole())
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
