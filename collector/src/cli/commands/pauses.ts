import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { PausesFlags } from '../held/pauses.ts'
import { examples, GROUPS } from '../help.ts'
import { databaseOption, jsonOption, serverPortOption } from '../options.ts'

export function addPauses(program: Command, cli: Cli): void {
  program
    .command('pauses')
    .helpGroup(GROUPS.held)
    .summary('list the calls that are held now')
    .description('List the calls that are held now. Exit code 0, also when nothing is; 3 without a server.')
    .option('--run <runId>', 'those of one run')
    .addOption(serverPortOption())
    .addOption(databaseOption())
    .addOption(jsonOption('{pauses}'))
    .addHelpText(
      'after',
      examples(
        [
          ['graphmind pauses', 'a table'],
          ['graphmind pauses --json', 'with the actions that each call can honour'],
        ],
        'graphmind resume <pauseId> --action continue lets one go.',
      ),
    )
    .action((flags: PausesFlags) => cli.perform(async () => (await import('../held/pauses.ts')).pauses(flags, cli)))
}
