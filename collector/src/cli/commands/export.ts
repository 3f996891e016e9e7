import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { ExportFlags } from '../export/export-run.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, redactOptions } from '../options.ts'

export function addExport(program: Command, cli: Cli): void {
  const [redactOn, redactOff] = redactOptions()
  program
    .command('export')
    .helpGroup(GROUPS.recorded)
    .summary('write one run to a file')
    .description('Write one run to a file, with all its prompts and payloads.')
    .argument('<runId>', 'the run, as the viewer and graphmind import name it')
    .option('--format <format>', 'otlp-json, otlp-proto, ndjson or html (default otlp-json)')
    .option('--out <file>', 'where to write it (default stdout)')
    .addOption(redactOn)
    .addOption(redactOff)
    .addOption(databaseOption())
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind export 4bf92f3577b34da6a3ce929d0e0e4736 --out run.json', 'OTLP/JSON, for any OpenTelemetry tool'],
          ['graphmind export 4bf92f3577b34da6a3ce929d0e0e4736 --format ndjson', 'GraphMind’s own events, a line each'],
        ],
        'graphmind import reads what export writes.',
      ),
    )
    .action((runId: string, flags: ExportFlags) =>
      cli.perform(async () => (await import('../export/export-run.ts')).exportRun(runId, flags, cli, process.stdout)),
    )
}
