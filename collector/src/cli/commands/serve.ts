import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption } from '../options.ts'
import type { ServeFlags } from '../settings.ts'

export function addServe(program: Command, cli: Cli): void {
  program
    .command('serve')
    .helpGroup(GROUPS.watch)
    .description('Start the local server and open the viewer. This is what graphmind does when no command is named.')
    .summary('start the local server and open the viewer (the default)')
    .option('--port <n>', 'port (default 4747)')
    .option('--host <address>', 'address to listen on (default 127.0.0.1 and ::1); one that others can reach asks them for GRAPHMIND_TOKEN')
    .addOption(databaseOption())
    .option('--open', 'open a browser also where none is expected')
    .option('--no-open', 'do not open a browser')
    .option('--pause-on-error <on|off|kind>', 'what to hold at the first error: on, off or one node kind (default on)')
    .option('--allow-control <level>', 'what agents and commands may do with held calls: off, resume, inject or edit (default off)')
    .option('--no-edit-input', 'nobody edits the input of a held call')
    .option('--no-otlp-ports', 'leave the OTLP default ports 4317 and 4318 alone')
    .addOption(jsonOption('one line {port,url,pid,version} on stdout and everything else on stderr'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind', 'port 4747, open the browser'],
          ['graphmind serve --port 4848 --no-open', 'another port, no browser'],
          ['graphmind serve --pause-on-error tool', 'hold at failed tools only'],
          ['graphmind serve --allow-control inject', 'let graphmind resume and coding agents release and inject'],
          ['graphmind serve --json', 'for a script that needs the address'],
        ],
        'point a program at it: OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4747, or node --import @graphmind-ai/otel/register app.js',
      ),
    )
    .action((flags: ServeFlags) => cli.perform(async () => (await import('../serve/serve.ts')).serveUntilStopped(flags, cli)))
}
