import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { RecordFlags } from '../export/export-run.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, redactOptions } from '../options.ts'

export function addRecord(program: Command, cli: Cli): void {
  const [redactOn, redactOff] = redactOptions()
  program
    .command('record')
    .helpGroup(GROUPS.recorded)
    .summary('write the events of one run to a file')
    .description(
      'Write the events of one run to a file, one wire envelope a line: what graphmind import and WS /ingest read. With --html, a page with the viewer in it that needs no server; nothing in it can be held or released.',
    )
    .argument('<runId>', 'the run, as graphmind runs lists it')
    .option('--html', 'one self-contained page with the viewer in it, for anyone with a browser')
    .option('--out <file>', 'where to write it (default graphmind-run-<runId>.ndjson, or .html)')
    .addOption(redactOn)
    .addOption(redactOff)
    .addOption(databaseOption())
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind record 4bf92f3577b34da6a3ce929d0e0e4736', 'into graphmind-run-4bf92f35….ndjson'],
          ['graphmind record 4bf92f3577b34da6a3ce929d0e0e4736 --html --out run.html', 'a page to attach to an issue'],
        ],
        'graphmind import reads it back, here or elsewhere. Prompts and payloads are inside: look before you share it.',
      ),
    )
    .action((runId: string, flags: RecordFlags) =>
      cli.perform(async () => (await import('../export/export-run.ts')).recordRun(runId, flags, cli)),
    )
}
